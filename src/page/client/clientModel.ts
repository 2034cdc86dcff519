/** What the page hands to its script, as JSON in the document. */
export interface ClientModel {
	readonly schema: unknown;
	/** Tells the endpoint which park the page showed: all parks of an execution share one address. */
	readonly parkedAt: string;
	/** Until when an answer is taken, as a UTC instant. */
	readonly deadline?: string;
	/** The schema is not usable: any answer is taken. */
	readonly isUnchecked: boolean;
}
