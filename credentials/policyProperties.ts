import type { INodeProperties } from 'n8n-workflow';

export const policyProperties: INodeProperties[] = [
	{
		displayName: 'Tool Policies',
		name: 'toolPolicies',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Tool' },
		placeholder: 'Add Tool',
		default: {},
		description:
			'What each tool may do, decided by you. It wins over what the server says of its tools. While a row states an access or a key for a tool that the server does not offer, no tool is called.',
		options: [
			{
				displayName: 'Tool',
				name: 'tool',
				values: [
					{
						displayName: 'Tool Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. settle_payment',
						description:
							'The name as the server lists it, upper and lower case included; one row for each tool',
					},
					{
						displayName: 'Effect',
						name: 'effect',
						type: 'options',
						options: [
							{
								name: 'As the Server Says',
								value: 'server',
								description: "The server's hints decide, and write without them",
							},
							{
								name: 'Read',
								value: 'read',
								description: 'A repeat changes nothing',
							},
							{
								name: 'Idempotent',
								value: 'idempotent',
								description: 'A repeat with the same identity changes nothing more',
							},
							{
								name: 'Write',
								value: 'write',
								description: 'A repeat may do it again',
							},
						],
						default: 'server',
						description: 'What a call of the tool may do',
					},
					{
						displayName: 'Access',
						name: 'access',
						type: 'options',
						options: [
							{
								name: 'Allowed',
								value: 'allowed',
								description: 'Workflows and AI agents may call it',
							},
							{
								name: 'Denied',
								value: 'denied',
								description: 'Nobody calls it, and AI agents do not see it',
							},
						],
						default: 'allowed',
						description: 'Whether workflows may call the tool',
					},
					{
						displayName: 'Idempotency Key',
						name: 'idempotencyKey',
						type: 'string',
						default: '',
						placeholder: 'e.g. payment_id or claim.id',
						description:
							'The argument that identifies the operation, as names with dots between them. A call without it is refused, and what was done once under it is not done again. Empty for no key; not used for read tools.',
					},
				],
			},
		],
	},
	{
		displayName: 'Tools Not Listed',
		name: 'unlistedTools',
		type: 'options',
		options: [
			{ name: 'Allow', value: 'allow', description: 'Tools without a row may be called' },
			{
				name: 'Deny',
				value: 'deny',
				description: 'Only tools with a row may be called; without rows, none',
			},
		],
		default: 'allow',
		description: 'What holds for tools that have no row in Tool Policies',
	},
	{
		displayName: 'Use Server Hints',
		name: 'useServerHints',
		type: 'boolean',
		default: true,
		description:
			'Whether the hints of the server decide for tools you did not classify. Without them such tools are write.',
	},
	{
		displayName: 'Share Resume URL',
		name: 'shareResumeUrl',
		type: 'boolean',
		default: false,
		description:
			'Whether to send the address that ends the wait to the server with every call. Whoever has it can answer, so only share it with a server you trust. An answer that comes before the execution waits gets 409 and has to be sent again.',
	},
	{
		displayName: 'Signing Key',
		name: 'signingKey',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description:
			'Signs what calls with the option Provenance say of where they come from, so that the server can check it. A private Ed25519 key in PEM or JWK, or a secret of at least 32 bytes for HMAC-SHA256.',
	},
];
