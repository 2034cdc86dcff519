import type { ConnectionSettings } from '../call/connectionSettings';
import { isPlainObject, type PlainObject } from '../json/plainObject';
import { type Result, succeed } from '../outcome/failure';
import type { ConnectionPolicy } from '../policy/connectionPolicy';
import { refuse } from './connectionFields';
import { readPolicy } from './readPolicy';
import { readTransport } from './readTransport';

/** The credential `mcpConnectionApi` as values, every cross-field rule checked. */
export interface Connection {
	readonly settings: ConnectionSettings;
	readonly policy: ConnectionPolicy;
	/** Who shares a connection: everybody with the same settings, or the nodes of one execution (C9). */
	readonly sharing: 'shared' | 'perExecution';
	/** True sends the resume URL, a capability, with every call (C15). */
	readonly shareResumeUrl: boolean;
}

const SECONDS = { requestTimeout: 30, maxDuration: 3600 };

/** Reads the decrypted credential; fields of the other transport are ignored (C1). Refuses by field name. */
export function readConnection(data: unknown): Result<Connection> {
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
	const namespace = data['namespace'];
	if (typeof namespace === 'string' && !/^[A-Za-z0-9_.-]{0,64}$/.test(namespace)) {
		return refuse(
			'Namespace holds a character that tool names cannot carry',
			'Use at most 64 letters, digits, `_`, `-` and `.`.',
		);
	}
	const policy = readPolicy(data);
	if (!policy.ok) return policy;
	const serverName = data['serverName'];
	return succeed({
		settings: {
			transport: transport.value,
			...(typeof serverName === 'string' && serverName !== '' ? { serverName } : {}),
			requestTimeoutMs: requestTimeout.value * 1000,
			maxDurationMs: maxDuration.value * 1000,
		},
		policy: policy.value,
		sharing: data['session'] === 'perExecution' ? 'perExecution' : 'shared',
		shareResumeUrl: data['shareResumeUrl'] === true,
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
