/** What the resume page shows. Instants are UTC texts; everything else may come from a server nobody here controls. */
export type PageModel =
	| AnswerModel
	/** It wakes by itself. */
	| ({ readonly kind: 'sleep'; readonly until: string } & Origin)
	/** Its instant has come; it leaves with the items of its run that still wait. */
	| ({ readonly kind: 'woke'; readonly until: string } & Origin)
	/** The first answer stands. */
	| ({ readonly kind: 'answered'; readonly reason: string; readonly answeredAt: string } & Origin)
	/** The time for an answer is over. */
	| ({ readonly kind: 'expired'; readonly reason: string; readonly deadline: string } & Origin)
	/** Several items of one run wait; each has its own page. */
	| {
			readonly kind: 'list';
			readonly workflowName?: string;
			/** Until when answers are taken, if not for ever. */
			readonly deadline?: string;
			readonly items: readonly ListedItem[];
	  }
	/** Nothing waits here, or the page cannot be shown: a heading and what to do. */
	| { readonly kind: 'problem'; readonly title: string; readonly message: string };

export type AnswerModel = {
	/** Who answers: a person on this page, or an external system. */
	readonly kind: 'person' | 'signal';
	readonly reason: string;
	readonly schema: unknown;
	/** Why answers are not checked, when the schema is not usable. */
	readonly schemaWarning?: string;
	/** Until when an answer is taken. */
	readonly deadline?: string;
} & Origin;

/** Where a park comes from. */
export interface Origin {
	readonly tool: string;
	readonly serverName?: string;
	readonly workflowName?: string;
	readonly parkedAt: string;
	/** Relative address of the list, when several items wait. */
	readonly listHref?: string;
}

export interface ListedItem {
	/** Index of the input item, from 0. */
	readonly item: number;
	readonly kind: 'person' | 'signal' | 'sleep';
	readonly tool: string;
	/** The reason, or the instant of a sleeper. */
	readonly text: string;
	/** Relative address of the item's own page. */
	readonly href: string;
	readonly answeredAt?: string;
	/** The time for an answer is over, or the sleeper's instant has come. */
	readonly isOver?: true;
}
