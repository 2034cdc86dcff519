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
	/** Nothing waits here, or the page cannot be shown: a heading and what to do. */
	| { readonly kind: 'problem'; readonly title: string; readonly message: string };

export type AnswerModel = Extract<PageModel, { readonly kind: 'person' | 'signal' }>;
