import { describeArrived } from '../json/describeArrived';
import { fail, type Result, succeed } from '../outcome/failure';
import type { Effect } from './effect';

/** Reads the effect that a field of a node states. Refuses all else, as what is left out would make the node laxer (E5). */
export function readEffect(value: unknown, field: string): Result<Effect> {
	if (value === 'read' || value === 'idempotent' || value === 'write') return succeed(value);
	return fail({
		code: 'arguments-invalid',
		disposition: 'did-not-happen',
		message: `${field} must be read, idempotent or write, but ${describeArrived(value)} arrived`,
		remedy: `Correct the expression of ${field}, or choose one from its list.`,
	});
}
