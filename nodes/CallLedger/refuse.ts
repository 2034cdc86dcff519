import { fail } from '../../src/outcome/failure';

/** A request that makes no sense; nothing was done. */
export const refuse = (message: string, remedy: string): ReturnType<typeof fail> =>
	fail({ code: 'arguments-invalid', disposition: 'did-not-happen', message, remedy });
