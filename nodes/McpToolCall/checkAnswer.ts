import type { CheckAnswer } from '../../src/park/judgeAnswer';
import { type CompiledSchema, compileSchema } from '../../src/schema/checkSchema';

/**
 * How a parked item's answers are checked. A schema that was found unusable when the item parked accepts any answer,
 * as everybody was told; one that was usable then, and only now takes too long, accepts none unchecked.
 */
export function checkAnswer(
	schemaWarning: string | undefined,
	compile: (schema: unknown) => CompiledSchema = compileSchema,
): CheckAnswer {
	return (schema, answer) => {
		if (schemaWarning !== undefined) return [];
		const compiled = compile(schema);
		if (compiled.kind === 'compiled') return compiled.check(answer);
		if (compiled.cause === 'schema') return [];
		return [{ path: '$', message: 'could not be checked in time; send the answer again' }];
	};
}
