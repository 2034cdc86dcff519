import { isPlainObject } from '../json/plainObject';
import { propertyNames } from './objectParts';

/** n8n puts this one into every item that an agent hands to a tool. */
const ALWAYS = ['toolCallId'];
/** These as well, with what came to the agent; outside an agent they are as likely meant. */
const INSIDE_AGENT = ['tool', 'sessionId', 'action', 'chatInput'];

/** Arguments without the keys that n8n adds for its agents, unless the tool's own schema names them (C13, U22). */
export function withoutAgentKeys(schema: unknown, args: unknown, insideAgent: boolean): unknown {
	if (!isPlainObject(args)) return args;
	const keys = [...ALWAYS, ...(insideAgent ? INSIDE_AGENT : [])];
	if (!keys.some((key) => Object.hasOwn(args, key))) return args;
	const own = propertyNames(schema);
	return Object.fromEntries(
		Object.entries(args).filter(([key]) => !keys.includes(key) || own.has(key)),
	);
}
