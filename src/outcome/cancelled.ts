import type { Disposition } from './failure';
import { remedyAt } from './remedyAt';

/** What to do about something that was cancelled with its execution: only what is not in doubt may simply be run again. */
export const remedyOfCancelled = (disposition: Disposition): string =>
	remedyAt(
		disposition,
		disposition === 'in-doubt'
			? 'Look up at the server whether it happened.'
			: 'Run the workflow again if this was not intended.',
	);
