/** The credentials that a node can have. */
export type CredentialType = 'mcpConnectionApi' | 'mcpConnectionOAuth2Api';

/** The one that the value of the parameter Authentication means. */
export const credentialTypeOf = (authentication: unknown): CredentialType =>
	authentication === 'oAuth2' ? 'mcpConnectionOAuth2Api' : 'mcpConnectionApi';
