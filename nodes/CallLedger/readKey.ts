import type { IExecuteFunctions } from 'n8n-workflow';

import type { ClaimKey } from '../../src/call/claimStore';
import { type Result, succeed } from '../../src/outcome/failure';
import { asText } from './readText';
import { refuse } from './refuse';

/** Reads which key is decided about, word for word: blanks may be a key (K2), and a server may have no name. */
export function readKey(context: IExecuteFunctions, item: number): Result<ClaimKey> {
	const read = (name: string) => asText(context.getNodeParameter(name, item, ''));
	const [serverName, tool, value] = [read('serverName'), read('tool'), read('key')];
	if (serverName === undefined) return notText('Server Name');
	if (tool === undefined) return notText('Tool');
	if (value === undefined) return notText('Key');
	if (tool === '') return refuse('Tool is empty', 'Enter a value for Tool.');
	if (value === '') return refuse('Key is empty', 'Enter a value for Key.');
	return succeed({ serverName, tool, value });
}

const notText = (field: string) =>
	refuse(`${field} must be a text`, `Enter a text for ${field}, or an expression that gives one.`);
