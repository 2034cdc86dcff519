/** Who servers are told that we are. */
export const clientInfo = { name: 'n8n-nodes-salvor', version: '0.1.0' };
