/** A tool of the misbehaving servers: what it does to the world, and whether the operator named its key. */
export interface SoakTool {
	readonly effect: 'read' | 'idempotent' | 'write';
	readonly keyed: boolean;
}

const TOOLS = {
	look: { effect: 'read', keyed: false },
	put: { effect: 'idempotent', keyed: false },
	put_once: { effect: 'idempotent', keyed: true },
	send: { effect: 'write', keyed: false },
	charge: { effect: 'write', keyed: true },
} as const satisfies Record<string, SoakTool>;

export type ToolName = keyof typeof TOOLS;

export const toolNames = ['look', 'put', 'put_once', 'send', 'charge'] as const;

export const toolOf = (name: ToolName): SoakTool => TOOLS[name];

/** What a tool is called with; `reference` is the key of those that have one. */
export interface SoakArguments {
	readonly n: number;
	readonly reference: string;
}

const inputSchema = {
	type: 'object',
	properties: { n: { type: 'integer' }, reference: { type: 'string' } },
	required: ['n', 'reference'],
};

/** The listing of every misbehaving server. */
export const listing = toolNames.map((name) => ({
	name,
	inputSchema,
	annotations: {
		readOnlyHint: toolOf(name).effect === 'read',
		idempotentHint: toolOf(name).effect === 'idempotent',
	},
}));
