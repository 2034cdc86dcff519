import { exclusively, readEffects, recordEffect, type Effect } from './effects.ts';

export type Payment = {
	readonly paymentId: string;
	readonly invoiceId: string;
	readonly supplier: string;
	readonly amount: number;
	readonly currency: string;
};

export type KnownPayment = Payment & { readonly settledAt: string | undefined };

export type Registration =
	| { readonly kind: 'registered' | 'known'; readonly payment: KnownPayment }
	| { readonly kind: 'conflict'; readonly payment: KnownPayment };

export type Settlement =
	| {
			readonly kind: 'settled' | 'already-settled';
			readonly payment: KnownPayment;
			readonly settledAt: string;
	  }
	| { readonly kind: 'unknown' };

/** The payment as the effects tell it, or undefined when it was never registered. */
export function findPayment(
	effects: readonly Effect[],
	paymentId: string,
): KnownPayment | undefined {
	let found: KnownPayment | undefined;
	for (const effect of effects) {
		if (effect.effect === 'payment.requested' && effect.paymentId === paymentId) {
			const { invoiceId, supplier, amount, currency } = effect;
			found ??= { paymentId, invoiceId, supplier, amount, currency, settledAt: undefined };
		}
		if (effect.effect === 'payment.settled' && effect.paymentId === paymentId && found) {
			found = { ...found, settledAt: effect.at };
		}
	}
	return found;
}

/** Registers a pending payment. The same payment again changes nothing; other data under a known id is a conflict. */
export function registerPayment(file: string, wanted: Payment): Registration {
	return exclusively(file, () => {
		const known = findPayment(readEffects(file), wanted.paymentId);
		if (known === undefined) {
			recordEffect(file, { effect: 'payment.requested', ...wanted });
			return { kind: 'registered', payment: { ...wanted, settledAt: undefined } };
		}
		const same =
			known.invoiceId === wanted.invoiceId &&
			known.amount === wanted.amount &&
			known.currency === wanted.currency;
		return { kind: same ? 'known' : 'conflict', payment: known };
	});
}

/** Pays a registered payment, once: a second time finds it settled and does nothing. */
export function settlePayment(file: string, paymentId: string): Settlement {
	return exclusively(file, () => {
		const payment = findPayment(readEffects(file), paymentId);
		if (payment === undefined) return { kind: 'unknown' };
		if (payment.settledAt !== undefined) {
			return { kind: 'already-settled', payment, settledAt: payment.settledAt };
		}
		const { at } = recordEffect(file, { effect: 'payment.settled', paymentId });
		return { kind: 'settled', payment, settledAt: at };
	});
}

/** `4200, 'EUR'` as `4,200.00 EUR`. */
export function money(amount: number, currency: string): string {
	const figures = amount.toLocaleString('en-GB', {
		minimumFractionDigits: 2,
		maximumFractionDigits: 2,
	});
	return `${figures} ${currency}`;
}
