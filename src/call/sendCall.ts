import type { Attempt } from './attempts';
import type { CallContext, CheckedCall } from './checkCall';
import { type Interpretation, interpretResult } from './interpretResult';

/** A result that is no failure. */
export type Meant = Exclude<Interpretation, { readonly kind: 'failed' }>;

/** Sends a checked call once and says what came of it. Never rejects. */
export async function sendCall(
	{ session, tools, checkArguments }: Pick<CallContext, 'session' | 'tools' | 'checkArguments'>,
	call: CheckedCall,
	signal: AbortSignal | undefined,
): Promise<Attempt<Meant>> {
	const name = call.facts.tool;
	const answer = await session.callTool(
		{
			name,
			arguments: call.arguments,
			...(call.meta === undefined ? {} : { meta: call.meta }),
		},
		signal,
	);
	if (!answer.ok) return { kind: 'failed', failure: answer.failure };
	const meant = interpretResult(tools.get(name)?.tool ?? { name }, answer.value, checkArguments);
	return meant.kind === 'failed' ? meant : { kind: 'ended', value: meant };
}
