const IDENTIFIER = /^[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*$/;

/** A name such as `payment_id` or `paymentId` put into words: "Payment id". Any other name as it is. */
export function inWords(name: string): string {
	if (name === '') return '(no name)';
	if (name.length > 100 || !IDENTIFIER.test(name)) return name;
	const words = name
		.replace(
			/([a-z0-9])([A-Z])/g,
			(_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
		)
		.replace(/[_-]/g, ' ');
	return words.charAt(0).toUpperCase() + words.slice(1);
}
