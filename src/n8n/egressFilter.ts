import type { ICredentialTestFunctions, NodeEgressFilter } from 'n8n-workflow';
import { lookup } from 'node:dns';

/** The operator's egress filter, where the host offers it (C6): it lets everything pass where none is set up. */
export function egressFilterOf(context: {
	readonly helpers: { readonly getSecureEgressFilter?: () => NodeEgressFilter };
}): NodeEgressFilter | undefined {
	return context.helpers.getSecureEgressFilter?.();
}

type Validated = Awaited<ReturnType<NodeEgressFilter['validateUrl']>>;

/**
 * The same for a credential's test, which n8n gives no filter, but a request that is filtered. The request is asked for
 * with no domain allowed, which n8n judges after its filter: so it is never made.
 */
export const egressFilterOfTest = ({
	helpers,
}: Pick<ICredentialTestFunctions, 'helpers'>): Pick<
	NodeEgressFilter,
	'validateUrl' | 'createSecureLookup'
> => ({
	async validateUrl(url): Promise<Validated> {
		try {
			await helpers.request({ uri: String(url), method: 'HEAD', allowedDomains: 'none.invalid' });
		} catch (caught) {
			if (caught instanceof Error && caught.name.startsWith('Ssrf'))
				return { ok: false, error: caught };
		}
		return { ok: true, result: undefined };
	},
	createSecureLookup: () => lookup,
});
