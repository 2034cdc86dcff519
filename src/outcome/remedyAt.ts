import type { Disposition } from './failure';

/** What to do about a failure of this disposition: what may have happened is found out before anything is done again. */
export const remedyAt = (disposition: Disposition, remedy: string): string =>
	disposition === 'in-doubt'
		? `Find out what the call did before calling again. ${remedy}`
		: remedy;
