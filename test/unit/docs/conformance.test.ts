import { expect, it } from 'vitest';

import { leftOut } from '../../support/conformance/leftOut';
import { tableUnder, textOf } from './tablesOf';

it('the table of what is left out of the official suite is the one that the run goes by', () => {
	expect(tableUnder(textOf('docs/conformance.md'), 'Left out')).toEqual(
		leftOut.map(({ scenarios, why }) => [
			`\`${scenarios.endsWith('/') ? `${scenarios}…` : scenarios}\``,
			why,
		]),
	);
});
