import { expect, test } from 'vitest';
import { compileSchema } from '../../src/schema/checkSchema';
import { DIALECTS, knownSchema } from '../support/fuzz/knownSchema';
import { objectOf } from '../support/fuzz/jsonValues';
import { numberFrom, randomFor } from '../support/fuzz/random';

const CASES = numberFrom('SALVOR_FUZZ_TRUTHS', 600);
const SEED = numberFrom('SALVOR_FUZZ_SEED', 20_261_103);

test(`what fits by its making is accepted, and what does not is refused where it is wrong: ${String(CASES)} schemas of seed ${String(SEED)}`, () => {
	const wrong: unknown[] = [];
	let answers = 0;
	for (let number = 0; number < CASES; number += 1) {
		const random = randomFor(SEED, number);
		const dialect = random.pick(DIALECTS);
		const library = new Map<string, unknown>();
		const known = knownSchema(random, dialect, random.int(0, 4), library);
		const schema = {
			...(dialect.$schema === undefined ? {} : { $schema: dialect.$schema }),
			allOf: [known.schema],
			[dialect.definitions]: objectOf([...library]),
		};
		const compiled = compileSchema(schema);
		if (compiled.kind === 'unusable') {
			wrong.push({ number, schema, reason: compiled.reason });
			continue;
		}
		for (let time = 0; time < 3; time += 1) {
			const good = known.good(random);
			const issues = compiled.check(good);
			if (issues.length > 0) wrong.push({ number, schema, good, issues });
			const bad = known.bad(random, '$');
			const told = compiled.check(bad.value);
			const atPlace = told.some(({ path }) => path.startsWith(bad.path));
			if (!atPlace) wrong.push({ number, schema, bad, told });
			answers += 2;
		}
	}
	console.info(`Schema truth, seed ${String(SEED)}: ${String(answers)} answers judged`);
	expect(wrong.slice(0, 3)).toEqual([]);
	expect(answers).toBe(CASES * 6);
}, 240_000);
