import type { Failure } from '../outcome/failure';
import type { Park } from '../park/decodePark';
import type { StoredPark } from '../park/parkedBatch';
import type { CallFacts } from './callRecord';
import type { ToolResult } from './session';

/** What came of a call. */
export type CallOutcome =
	| { readonly kind: 'completed'; readonly result: ToolResult; readonly facts: CallFacts }
	| {
			readonly kind: 'parked';
			readonly park: Park;
			/** The claim of a keyed call: it gets the answer too. */
			readonly claimId?: string;
			readonly facts: CallFacts;
	  }
	/** An earlier call with this key parked: this one waits for the same, or has its answer (K6). */
	| {
			readonly kind: 'parked-before';
			readonly park: StoredPark;
			/** UTC instant. */
			readonly parkedAt: string;
			readonly claimId: string;
			readonly answer?: { readonly value: unknown; readonly answeredAt: Date };
			readonly facts: CallFacts;
	  }
	| {
			readonly kind: 'failed';
			readonly failure: Failure;
			/** The result that a tool marked as an error, or that misses the tool's output schema. */
			readonly result?: ToolResult;
			readonly facts: CallFacts;
	  };
