/** What the tests of the resume page ask for most. */
export const PAYMENT = {
	type: 'object',
	properties: {
		approved: { type: 'boolean', title: 'Do you approve this payment?' },
		amount: { type: 'number', title: 'Amount to pay', minimum: 1, default: 1480.5 },
		cost_centre: {
			title: 'Cost centre',
			enum: [100, 200, '300'],
			description: 'Where it is booked.',
		},
		note: {
			type: 'string',
			maxLength: 400,
			minLength: 3,
			description: 'Printed on the remittance advice.',
		},
		pay_on: { type: 'string', format: 'date', title: 'Pay on' },
	},
	required: ['approved', 'amount'],
	additionalProperties: false,
};

/** An order as a customer's manager may get it: parts, rows and alternatives. */
export const ORDER = {
	type: 'object',
	$defs: {
		address: {
			title: 'Address',
			type: 'object',
			properties: { street: { type: 'string' }, city: { type: 'string' } },
			required: ['street', 'city'],
		},
	},
	properties: {
		decision: {
			title: 'Decision',
			oneOf: [
				{ const: 'order', title: 'Order as quoted' },
				{ const: 'change', title: 'Order with changes' },
				{ const: 'decline', title: 'Decline' },
			],
		},
		deliver_to: { $ref: '#/$defs/address' },
		bill_to: { $ref: '#/$defs/address' },
		lines: {
			title: 'Lines',
			type: 'array',
			minItems: 1,
			items: {
				type: 'object',
				title: 'Line',
				properties: {
					article: { type: 'string', default: 'Larch boards 40 × 60 mm' },
					quantity: { type: 'integer', minimum: 1, default: 120 },
				},
				required: ['article', 'quantity'],
			},
		},
		deliver_on: { type: 'string', format: 'date', description: 'Monday to Friday.' },
	},
	required: ['decision', 'deliver_to', 'lines'],
};
