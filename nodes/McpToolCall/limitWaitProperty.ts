import type { INodeProperties } from 'n8n-workflow';

/** How long answers are awaited (P26); an option of Call and of Await. */
export const limitWait: INodeProperties = {
	displayName: 'Limit Wait',
	name: 'limitWait',
	type: 'fixedCollection',
	default: { values: { amount: 1, unit: 'hours', onExpiry: 'continue' } },
	description:
		'How long to wait for answers, counted from when the execution begins to wait. Sleeps are not limited. Does nothing where When Parked is Continue.',
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Amount',
					name: 'amount',
					type: 'number',
					typeOptions: { minValue: 0, numberPrecision: 2 },
					default: 1,
					description: 'How many of the unit to wait',
				},
				{
					displayName: 'Unit',
					name: 'unit',
					type: 'options',
					options: [
						{ name: 'Days', value: 'days' },
						{ name: 'Hours', value: 'hours' },
						{ name: 'Minutes', value: 'minutes' },
					],
					default: 'hours',
					description: 'What the amount counts',
				},
				{
					displayName: 'On Expiry',
					name: 'onExpiry',
					type: 'options',
					options: [
						{
							name: 'Continue',
							value: 'continue',
							description: 'The item goes on without an answer, with the outcome "expired"',
						},
						{
							name: 'Fail the Item',
							value: 'fail',
							description: 'The item fails, and On Error says what happens then',
						},
					],
					default: 'continue',
					description: 'What to do with an item that nobody answered in time',
				},
			],
		},
	],
};
