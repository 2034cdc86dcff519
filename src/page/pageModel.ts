import type { FormModel } from '../schema/formModel';

/** What the resume page shows. Instants are UTC texts; everything else may come from a server nobody here controls. */
export type PageModel =
	| {
			/** Who answers: a person on this page, or an external system. */
			readonly kind: 'person' | 'signal';
			readonly reason: string;
			readonly tool: string;
			readonly serverName?: string;
			readonly workflowName?: string;
			readonly parkedAt: string;
			readonly form: FormModel;
			readonly schema: unknown;
			/** Until when an answer is taken, if not for ever. */
			readonly deadline?: string;
			/** Why answers are not checked, when the schema is not usable. */
			readonly schemaWarning?: string;
	  }
	| {
			readonly kind: 'sleep';
			readonly until: string;
			readonly tool: string;
			readonly serverName?: string;
			readonly workflowName?: string;
			readonly parkedAt: string;
	  }
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
}

export type AnswerModel = Extract<PageModel, { readonly kind: 'person' | 'signal' }>;
