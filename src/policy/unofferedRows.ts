import type { ConnectionPolicy, ToolPolicy } from './connectionPolicy';
import type { ListedTool } from './tool';

/** Rows of Tool Policies whose tool the server does not offer, by the names that they state (E8, E7). */
export interface UnofferedRows {
	/** State an effect at most: a warning. */
	readonly idle: readonly string[];
	/**
	 * State a grant or a key: the operator relies on them, and they hold nothing back. While there is one, no call is made
	 * over the connection; listing and picking go on.
	 */
	readonly broken: readonly string[];
}

/**
 * The rows that are for no tool. A row states a grant when its Access is Denied, or is Allowed while Tools Not Listed is
 * Deny; Allowed where everything is allowed states nothing.
 */
export function findUnofferedRows(
	policy: ConnectionPolicy,
	tools: readonly ListedTool[],
): UnofferedRows {
	const offered = new Set(tools.map(({ name }) => name));
	const rows = policy.tools.filter(({ name }) => !offered.has(name));
	const namesOf = (chosen: readonly ToolPolicy[]) => chosen.map(({ name }) => name);
	return {
		idle: namesOf(rows.filter((row) => !isReliedOn(row, policy))),
		broken: namesOf(rows.filter((row) => isReliedOn(row, policy))),
	};
}

const isReliedOn = ({ access, idempotencyKey }: ToolPolicy, policy: ConnectionPolicy): boolean =>
	idempotencyKey !== undefined || access === 'denied' || policy.unlistedTools === 'deny';

/** One sentence for each kind of row that is for no tool, as listings, the credential test and hints say it (E8). */
export const describeUnofferedRows = (
	{ idle, broken }: UnofferedRows,
	serverName: string,
): readonly string[] => [
	...(idle.length === 0
		? []
		: [`Tool Policies names tools that ${serverName} does not offer: ${idle.join(', ')}.`]),
	...(broken.length === 0
		? []
		: [
				`Tool Policies states an access or a key for tools that ${serverName} does not offer: ${broken.join(', ')}. No tool is called over this connection until those rows are corrected or removed.`,
			]),
];
