import type { INodeProperties } from 'n8n-workflow';

import { authentication } from '../shared/authentication';
import { toolLocator } from '../shared/toolLocator';
import { limitWait } from './limitWaitProperty';
import { onParkWorkflow } from './onParkWorkflow';

export const properties: INodeProperties[] = [
	authentication({ show: { operation: ['call'] } }),
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Await',
				value: 'await',
				action: 'Await parked items',
				description: 'Wait for items that came out of a call while they were still parked',
			},
			{
				name: 'Call',
				value: 'call',
				action: 'Call a tool',
				description: 'Call one tool of the server for each item and wait if the tool asks for it',
			},
		],
		default: 'call',
	},
	toolLocator({
		operation: 'call',
		description:
			'The tool to call. The list says what each tool may do, and who decided it: the operator, a hint of the server, or the default.',
	}),
	{
		displayName: 'Arguments',
		name: 'argumentsMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Fields',
				value: 'fields',
				description: "One field for each argument in the tool's input schema",
			},
			{
				name: 'JSON',
				value: 'json',
				description: 'All arguments as one JSON object',
			},
		],
		default: 'fields',
		description: 'How to give the arguments of the tool',
		displayOptions: { show: { operation: ['call'] } },
	},
	{
		displayName: 'Argument Fields',
		name: 'argumentFields',
		type: 'resourceMapper',
		default: { mappingMode: 'defineBelow', value: null },
		noDataExpression: true,
		required: true,
		typeOptions: {
			loadOptionsDependsOn: ['tool.value'],
			resourceMapper: {
				resourceMapperMethod: 'mapArguments',
				mode: 'add',
				addAllFields: true,
				supportAutoMap: false,
				hideNoDataError: true,
				fieldWords: { singular: 'argument', plural: 'arguments' },
			},
		},
		description: 'The arguments of the tool. An optional argument left empty is not sent.',
		displayOptions: { show: { operation: ['call'], argumentsMode: ['fields'] } },
	},
	{
		displayName: 'Arguments (JSON)',
		name: 'argumentsJson',
		type: 'json',
		typeOptions: { rows: 6 },
		default: '{}',
		description: 'The arguments of the tool as a JSON object',
		displayOptions: { show: { operation: ['call'], argumentsMode: ['json'] } },
	},
	{
		displayName: 'When Parked',
		name: 'whenParked',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Continue',
				value: 'continue',
				description:
					'Put the parked item out at once; a later node with the operation Await waits for it',
			},
			{
				name: 'Wait',
				value: 'wait',
				description: 'The execution waits here and goes on with the answer',
			},
		],
		default: 'wait',
		description: 'What to do when a tool asks to wait for a person, a signal or a date',
		displayOptions: { show: { operation: ['call'] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { show: { operation: ['call'] } },
		options: [
			{
				displayName: 'Binary',
				name: 'binary',
				type: 'boolean',
				default: true,
				description:
					'Whether to move images, audio and blobs of the result to binary data. The full result keeps them as they came.',
			},
			{
				displayName: 'Concurrency',
				name: 'concurrency',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 64, numberPrecision: 0 },
				default: 8,
				description:
					'How many read and idempotent calls of one run may be under way at once. Writes run one at a time.',
			},
			limitWait,
			{
				displayName: 'Maximum Attempts',
				name: 'maxAttempts',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
				default: 3,
				description:
					'How often a call may be sent in all, the first time included. It is sent again only where its effect allows that: a read, or a call that did not happen. A write that may have happened never is.',
			},
			{
				displayName: 'On Drift',
				name: 'onDrift',
				type: 'options',
				options: [
					{
						name: 'Refuse',
						value: 'refuse',
						description: 'The item fails and nothing is sent',
					},
					{
						name: 'Warn',
						value: 'warn',
						description: 'The call is made, and the item and the node say what drifted',
					},
				],
				default: 'warn',
				description: 'What to do when the tool no longer has the pinned fingerprint',
			},
			onParkWorkflow,
			{
				displayName: 'Output',
				name: 'output',
				type: 'options',
				options: [
					{
						name: 'Full Result',
						value: 'fullResult',
						description: 'The whole result as the server sent it',
					},
					{
						name: 'Value',
						value: 'value',
						description: 'The structured content, or else the text, or else the content blocks',
					},
				],
				default: 'value',
				description: 'What to put into the output field of each item',
			},
			{
				displayName: 'Pinned Fingerprint',
				name: 'pinnedFingerprint',
				type: 'string',
				default: '',
				placeholder: 'e.g. 3f8a… (64 digits)',
				description:
					'The fingerprint that the tool had when this node was built, from the field fingerprint of the tool picker. It changes with the name, the description, the schemas and the annotations of the tool.',
			},
			{
				displayName: 'Preset Answers',
				name: 'presetAnswers',
				type: 'json',
				typeOptions: { rows: 4 },
				default: '{}',
				description:
					'What to answer when the server asks in the middle of a call: a JSON object with the answer to each field it may ask for. Answers are sent only where they fit what it asks; else it is refused. Without any, the server is not told that it may ask.',
			},
			{
				displayName: 'Provenance',
				name: 'provenance',
				type: 'boolean',
				default: false,
				description:
					'Whether to tell the server where each call comes from: workflow, execution, node, item, attempt and call, signed if the connection has a signing key',
			},
			{
				displayName: 'Retry Tool Errors',
				name: 'retryToolErrors',
				type: 'boolean',
				default: false,
				description:
					'Whether to try a read again when the tool itself reports an error. Idempotent and write calls never are.',
			},
			{
				displayName: 'Tool Errors',
				name: 'toolErrors',
				type: 'options',
				options: [
					{
						name: 'Fail the Item',
						value: 'fail',
						description: 'A result that the tool marks as an error fails the item',
					},
					{
						name: 'Return as Data',
						value: 'data',
						description: 'A result that the tool marks as an error is put out like any other',
					},
				],
				default: 'fail',
				description: 'What to do when the tool itself reports an error',
			},
			{
				displayName: 'Treat As',
				name: 'treatAs',
				type: 'options',
				options: [
					{ name: 'Idempotent', value: 'idempotent' },
					{ name: 'Write', value: 'write' },
				],
				default: 'write',
				description:
					'A stricter effect for this node than the connection states. A laxer one is refused.',
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { show: { operation: ['await'] } },
		options: [limitWait, onParkWorkflow],
	},
];
