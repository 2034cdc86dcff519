// Loaded into n8n before anything else: its clock is as far off as a file says, in milliseconds. Timers run as ever.
const { readFileSync } = require('node:fs');

const RealDate = Date;
const realNow = Date.now;
const file = process.env.SHIFTED_CLOCK_FILE;
let offsetMs = 0;
let readAt = -Infinity;

function now() {
	// A child that n8n starts without its environment keeps the real time.
	if (file !== undefined && performance.now() - readAt > 100) {
		readAt = performance.now();
		offsetMs = Number(readFileSync(file, 'utf8'));
	}
	return realNow() + offsetMs;
}

globalThis.Date = new Proxy(RealDate, {
	get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
	apply: () => new RealDate(now()).toString(),
	construct: (target, args, newTarget) =>
		Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
});
