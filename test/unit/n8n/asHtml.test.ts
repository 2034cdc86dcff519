import { expect, it } from 'vitest';

import { asHtml } from '../../../src/n8n/asHtml';

it('what a server says is no markup in the editor, and lines stay lines', () => {
	expect(asHtml('a\n<a href="javascript:x">&amp;</a>')).toBe(
		'a<br>&lt;a href="javascript:x"&gt;&amp;amp;&lt;/a&gt;',
	);
});
