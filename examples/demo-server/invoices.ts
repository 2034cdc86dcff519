export type Invoice = {
	readonly invoice_id: string;
	readonly supplier: string;
	readonly amount: number;
	readonly currency: string;
	/** Calendar date, `YYYY-MM-DD`. */
	readonly due: string;
};

/** All invoices that this server knows. */
export const invoices: readonly Invoice[] = [
	{
		invoice_id: 'INV-1001',
		supplier: 'Harbour Timber Ltd',
		amount: 4200,
		currency: 'EUR',
		due: '2026-12-15',
	},
	{
		invoice_id: 'INV-1002',
		supplier: 'Corner Print Shop',
		amount: 186.5,
		currency: 'EUR',
		due: '2026-12-01',
	},
	{
		invoice_id: 'INV-1003',
		supplier: 'Glasshouse Software',
		amount: 12750.9,
		currency: 'GBP',
		due: '2027-01-31',
	},
];

/** The invoice with exactly this id, or undefined. */
export function findInvoice(invoiceId: string): Invoice | undefined {
	return invoices.find((invoice) => invoice.invoice_id === invoiceId);
}

/** The sentence for an id that no invoice has. */
export function unknownInvoice(invoiceId: string): string {
	const known = invoices.map((invoice) => invoice.invoice_id).join(', ');
	return `There is no invoice ${JSON.stringify(invoiceId)}; this server knows ${known}.`;
}
