import type { Failure } from '../outcome/failure';
import type { ListedTool } from '../policy/tool';
import type { CheckArguments } from './checkCall';

/** One value of every kind: a schema that refuses none of them asks for nothing, as one that cannot be used does. */
const ONE_OF_EVERY_KIND: readonly unknown[] = [null, true, 0, '', [], {}];

/**
 * The failure of a result whose `structuredContent` is missing or does not fit the `outputSchema` that the tool listed;
 * undefined when it fits, when the tool listed none, and when the schema cannot be used.
 */
export function checkOutput(
	{ name, outputSchema }: Pick<ListedTool, 'name' | 'outputSchema'>,
	structuredContent: unknown,
	check: CheckArguments,
): Failure | undefined {
	if (outputSchema === undefined) return undefined;
	if (structuredContent === undefined) {
		const asks = ONE_OF_EVERY_KIND.some((value) => check(outputSchema, value).length > 0);
		return asks
			? outputInvalid(
					`The result of "${name}" has no structuredContent, which its outputSchema asks for`,
				)
			: undefined;
	}
	const [misfit, ...others] = check(outputSchema, structuredContent);
	if (misfit === undefined) return undefined;
	const more = others.length === 0 ? '' : ` (and ${String(others.length)} more)`;
	return outputInvalid(
		`The structuredContent of "${name}" does not fit its outputSchema: ${misfit.path} ${misfit.message}${more}`,
	);
}

const outputInvalid = (message: string): Failure => ({
	code: 'output-invalid',
	disposition: 'landed',
	stage: 'call',
	message,
	remedy:
		"The call ran and is not repeated; the server's author has to mend the tool's outputSchema or its result.",
});
