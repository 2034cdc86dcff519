import { fork } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts';
import type { openPolicyCalls, PolicyCalls, Timed } from './policyCalls.ts';
import { median, quantile, rounded } from './statistics.ts';

const WARM_UP = 1000;
const ROUNDS = 1000;

const WAYS = ['sdk', 'session', 'unkeyed', 'keyed', 'deduplicated'] as const;
type Way = (typeof WAYS)[number];
type ByWay<T> = Readonly<Record<Way, T>>;

/** What policy, journal and ledger add to a call, beside the SDK's own client on one server, taking turns. */
export const policy: Benchmark = {
	name: 'policy',
	about: 'what policy, journal and ledger add to a call, beside the SDK’s own client',
	needsN8n: false,
	run: async (context) => {
		const server = fork(path.join(import.meta.dirname, 'toolServerProcess.ts'));
		try {
			// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the one message of toolServerProcess.ts
			const [endpoint] = (await once(server, 'message', { signal: context.signal })) as [string];
			const openCalls = await bundled(context.folder);
			const calls = await openCalls(endpoint, path.join(context.folder, 'ledger.sqlite'));
			try {
				return present(await measure(context, calls), await measureFlush(context.folder));
			} finally {
				await calls.close();
			}
		} finally {
			server.kill();
		}
	},
};

/** The call path as a module: Node.js alone cannot load the sources, which are written for a bundler. */
async function bundled(folder: string): Promise<typeof openPolicyCalls> {
	const outfile = path.join(folder, 'policyCalls.mjs');
	await build({
		entryPoints: [path.join(import.meta.dirname, 'policyCalls.ts')],
		outfile,
		bundle: true,
		platform: 'node',
		format: 'esm',
		external: ['pg-native'],
		// Some dependencies are CommonJS and ask for Node's modules by `require`.
		banner: {
			js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
		},
		logLevel: 'error',
	});
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the module that was just made of policyCalls.ts
	const module = (await import(pathToFileURL(outfile).href)) as {
		readonly openPolicyCalls: typeof openPolicyCalls;
	};
	return module.openPolicyCalls;
}

async function measure(
	{ say, signal }: BenchmarkContext,
	calls: PolicyCalls,
): Promise<ByWay<readonly Timed[]>> {
	const samples: ByWay<Timed[]> = {
		sdk: [],
		session: [],
		unkeyed: [],
		keyed: [],
		deduplicated: [],
	};
	say(`${String(ROUNDS)} calls in each of ${String(WAYS.length)} ways, one at a time, in turns`);
	for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
		for (let turn = 0; turn < WAYS.length; turn += 1) {
			signal.throwIfAborted();
			// Each way follows each place in the row equally often.
			const way = WAYS[(round + turn) % WAYS.length] ?? 'sdk';
			const timed = await calls[way]();
			if (round >= WARM_UP) samples[way].push(timed);
		}
	}
	say('done');
	return samples;
}

/** How long the disk of the ledger takes for one flush after a small write: a keyed call waits for two of them. */
async function measureFlush(folder: string): Promise<readonly number[]> {
	const file = await open(path.join(folder, 'flush'), 'w');
	const page = Buffer.alloc(4096, 1);
	const tookMs: number[] = [];
	try {
		for (let round = 0; round < ROUNDS; round += 1) {
			await file.write(page);
			const begunAt = performance.now();
			await file.sync();
			tookMs.push(performance.now() - begunAt);
		}
	} finally {
		await file.close();
	}
	return tookMs;
}

function present(samples: ByWay<readonly Timed[]>, flushMs: readonly number[]): Measured {
	const figuresOf = (way: Way) => ({
		totalMs: summaryOf(samples[way].map(({ totalMs }) => totalMs)),
		ownMs: summaryOf(samples[way].map(({ ownMs }) => ownMs)),
	});
	const figures = {
		sdk: { totalMs: figuresOf('sdk').totalMs },
		session: { totalMs: figuresOf('session').totalMs },
		unkeyed: figuresOf('unkeyed'),
		keyed: figuresOf('keyed'),
		deduplicated: figuresOf('deduplicated'),
		flushMs: summaryOf(flushMs),
	};
	const { sdk, session, unkeyed, keyed, deduplicated } = figures;
	const row = (what: string, { totalMs, ownMs }: Partial<(typeof figures)['keyed']>) => [
		what,
		...[totalMs?.median, totalMs?.p95, ownMs?.median, ownMs?.p95].map((ms) => ms?.toFixed(3) ?? ''),
	];
	return {
		table: [
			['one call, ms', 'median', 'p95', 'of it ours: median', 'p95'],
			row('the SDK’s client', sdk),
			row('our session alone', session),
			row('policy and journal, unkeyed', unkeyed),
			row('and the ledger: a new key', keyed),
			row('and the ledger: a key that was settled', deduplicated),
			row('one flush of the ledger’s disk', { totalMs: figures.flushMs }),
		],
		figures,
		ratios: {
			// What policy and journal take of an unkeyed call.
			policyShareUnkeyed: rounded(unkeyed.ownMs.median / unkeyed.totalMs.median, 3),
			// What policy, journal and ledger add to a call with a new key, in milliseconds.
			keyedAddedMs: rounded(keyed.ownMs.median, 3),
			// The same without the two flushes that it waits for.
			keyedAddedWithoutFlushesMs: rounded(keyed.ownMs.median - 2 * figures.flushMs.median, 3),
			sessionVsSdk: rounded(session.totalMs.median / sdk.totalMs.median, 2),
			unkeyedVsSdk: rounded(unkeyed.totalMs.median / sdk.totalMs.median, 2),
		},
	};
}

const summaryOf = (values: readonly number[]) => ({
	median: rounded(median(values), 3),
	p95: rounded(quantile(values, 0.95), 3),
});
