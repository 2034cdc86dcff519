/** What the address of a page can still do: answer this page, answer what else waits, or nothing; `resumed` once the workflow goes on. */
export type Use = 'answer' | 'others' | 'none' | 'resumed';

const LOOKING = 'Opening this page changes nothing.';

/** The last line of a page. */
export function footWords(use: Use): string {
	switch (use) {
		case 'answer':
			return `${LOOKING} Keep its address to yourself: whoever has it can answer.`;
		case 'others':
			return `${LOOKING} Keep its address to yourself: whoever has it can answer what still waits.`;
		case 'none':
			return LOOKING;
		case 'resumed':
			// All parks of an execution share its address.
			return 'Keep the address of this page to yourself: a later question of the workflow may have the same one.';
	}
}
