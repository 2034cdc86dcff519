import { fail, type Disposition, type Failure } from '../outcome/failure';

/** What is wrong with a ledger, and what to do about it: a clause and a sentence. */
export interface Trouble {
	readonly problem: string;
	readonly remedy: string;
	/** In doubt when the ledger may have kept what it was given; else nothing happened. */
	readonly disposition?: Disposition;
}

type Failed = { readonly ok: false; readonly failure: Failure };

/** A ledger that cannot be used; `place` comes from `nameOf`, so that no password is in it (I9). */
export function unavailable(place: string, trouble: Trouble): Failed {
	return fail({
		code: 'ledger-unavailable',
		disposition: trouble.disposition ?? 'did-not-happen',
		message: `The ledger at ${place} ${trouble.problem}.`,
		remedy: trouble.remedy,
	});
}

/** Settings that name no ledger. */
export function misconfigured(problem: string, remedy: string): Failed {
	return fail({
		code: 'ledger-unavailable',
		disposition: 'did-not-happen',
		message: `The ledger's settings are not usable: ${problem}.`,
		remedy,
	});
}

/** A ledger that a newer version of the package made. */
export function madeByNewer(found: number, known: number): Trouble {
	return {
		problem: `was made by a newer version of this package (its schema is ${found}, known is ${known})`,
		remedy: 'Update the package in every n8n process, or set SALVOR_LEDGER to another place.',
	};
}
