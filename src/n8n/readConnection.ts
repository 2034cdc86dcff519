import type { ConnectionSettings } from '../call/connectionSettings';
import type { Sign } from '../call/provenance';
import { isPlainObject, type PlainObject } from '../json/plainObject';
import { type Result, succeed } from '../outcome/failure';
import type { ConnectionPolicy } from '../policy/connectionPolicy';
import { isNamespace } from '../policy/publicName';
import { refuse } from './connectionFields';
import { readPolicy } from './readPolicy';
import { readSigningKey } from './readSigningKey';
import { readTransport } from './readTransport';

/** The credential `mcpConnectionApi` as values, every cross-field rule checked. */
export interface Connection {
	readonly settings: ConnectionSettings;
	readonly policy: ConnectionPolicy;
	/** Who shares a connection: everybody with the same settings, or the nodes of one execution (C9). */
	readonly sharing: 'shared' | 'perExecution';
	/** Stands before the names of the tools, with `__` between (C11). */
	readonly namespace?: string;
	/** True sends the resume URL, a capability, with every call (C15). */
	readonly shareResumeUrl: boolean;
	/** Signs where calls come from, if the operator gave a key (C15). */
	readonly sign?: Sign;
}

const SECONDS = { requestTimeout: 30, maxDuration: 3600 };

/** Reads the decrypted credential; fields of the other transport are ignored (C1). Refuses by field name. */
export function readConnection(
	data: unknown,
	/** What the node answers with when the server asks in the middle of a call (C12). */
	presetAnswers?: PlainObject,
): Result<Connection> {
	if (!isPlainObject(data)) {
		return refuse('the credential holds no data', 'Open the credential, fill it in and save it.');
	}
	const transport = readTransport(data);
	if (!transport.ok) return transport;
	const requestTimeout = readSeconds(data, 'requestTimeout', 'Request Timeout');
	if (!requestTimeout.ok) return requestTimeout;
	const maxDuration = readSeconds(data, 'maxDuration', 'Maximum Duration');
	if (!maxDuration.ok) return maxDuration;
	if (maxDuration.value < requestTimeout.value) {
		return refuse(
			'Maximum Duration is shorter than Request Timeout',
			'Give Maximum Duration at least the seconds of Request Timeout.',
		);
	}
	const namespace = data['namespace'] ?? '';
	if (typeof namespace !== 'string' || (namespace !== '' && !isNamespace(namespace))) {
		return refuse(
			'Namespace is nothing that tool names can begin with',
			'Use at most 64 letters, digits, `_`, `-` and `.`, without `__` in it and without `_` at its end.',
		);
	}
	const policy = readPolicy(data);
	if (!policy.ok) return policy;
	const sign = readSigningKey(data);
	if (!sign.ok) return sign;
	const serverName = data['serverName'];
	return succeed({
		settings: {
			transport: transport.value,
			...(typeof serverName === 'string' && serverName !== '' ? { serverName } : {}),
			requestTimeoutMs: requestTimeout.value * 1000,
			maxDurationMs: maxDuration.value * 1000,
			...(presetAnswers === undefined ? {} : { presetAnswers }),
		},
		policy: policy.value,
		sharing: data['session'] === 'perExecution' ? 'perExecution' : 'shared',
		...(namespace === '' ? {} : { namespace }),
		shareResumeUrl: data['shareResumeUrl'] === true,
		...(sign.value === undefined ? {} : { sign: sign.value }),
	});
}

function readSeconds(
	data: PlainObject,
	field: keyof typeof SECONDS,
	title: string,
): Result<number> {
	const value = data[field] ?? SECONDS[field];
	if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 2_000_000) {
		return succeed(value);
	}
	return refuse(
		`${title} must be a whole number of seconds from 1 to 2,000,000`,
		`Set it to a number such as ${String(SECONDS[field])}.`,
	);
}
