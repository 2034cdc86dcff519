import type { Attempt } from './attempts';
import type { CallContext, CheckedCall } from './checkCall';
import { type Interpretation, interpretResult } from './interpretResult';
import { provenanceMeta } from './provenance';

/** A result that is no failure. */
export type Meant = Exclude<Interpretation, { readonly kind: 'failed' }>;

/** Sends a checked call once, as its attempt of that number, and says what came of it. Never rejects. */
export async function sendCall(
	context: Pick<CallContext, 'session' | 'checkArguments' | 'sha256' | 'sign' | 'onProgress'>,
	call: CheckedCall,
	attempt: number,
	signal: AbortSignal | undefined,
): Promise<Attempt<Meant>> {
	const request = { name: call.tool.name, arguments: call.arguments };
	const { origin } = call;
	const { onProgress } = context;
	const provenance =
		origin === undefined ? undefined : provenanceMeta(origin, attempt, request, context);
	const isPlain = call.meta === undefined && provenance === undefined;
	const answer = await context.session.callTool(
		{
			...request,
			...(isPlain ? {} : { meta: { ...call.meta, ...provenance } }),
			...(onProgress === undefined ? {} : { onProgress }),
		},
		signal,
	);
	if (!answer.ok) return { kind: 'failed', failure: answer.failure };
	const meant = interpretResult(call.tool, answer.value, context.checkArguments);
	return meant.kind === 'failed' ? meant : { kind: 'ended', value: meant };
}
