import { encodePng } from './png.ts';

const WIDTH = 320;
const LINE_HEIGHT = 22;
const PAPER = 1;
const INK = 2;
const STAMP = 3;
const palette = [
	[226, 232, 240],
	[255, 255, 255],
	[30, 41, 59],
	[22, 163, 74],
] as const;

/** Letters of 3 × 5 dots: five octal digits, one a row, the highest bit on the left. */
// prettier-ignore
const glyphs: Readonly<Record<string, string>> = {
	A: '25755', B: '65656', C: '34443', D: '65556', E: '74647', F: '74644', G: '34553', H: '55755',
	I: '72227', J: '11152', K: '55655', L: '44447', M: '57755', N: '65555', O: '25552', P: '65644',
	Q: '25563', R: '65655', S: '34216', T: '72222', U: '55557', V: '55552', W: '55775', X: '55255',
	Y: '55222', Z: '71247', 0: '75557', 1: '26227', 2: '71747', 3: '71717', 4: '55711', 5: '74717',
	6: '74757', 7: '71222', 8: '75757', 9: '75717', '-': '00700', '.': '00002', ',': '00024', _: '00007',
	':': '02020', '&': '25253', "'": '22000',
};

/** A PNG of a paper receipt with a heading, these lines and a stamp that says PAID. */
export function receiptPng(lines: readonly string[]): Buffer {
	const height = 110 + lines.length * LINE_HEIGHT;
	const pixels = new Uint8Array(WIDTH * height);

	const fill = (x: number, y: number, width: number, depth: number, colour: number): void => {
		for (let row = y; row < y + depth; row += 1) {
			pixels.fill(colour, row * WIDTH + x, row * WIDTH + x + width);
		}
	};
	const write = (text: string, x: number, y: number, dot: number, colour: number): void => {
		Array.from(text.toUpperCase()).forEach((letter, position) => {
			Array.from(glyphs[letter] ?? '00000').forEach((digit, row) => {
				for (let column = 0; column < 3; column += 1) {
					if ((Number(digit) & (4 >> column)) === 0) continue;
					fill(x + (position * 4 + column) * dot, y + row * dot, dot, dot, colour);
				}
			});
		});
	};

	fill(10, 10, WIDTH - 20, height - 24, PAPER);
	for (let x = 10; x < WIDTH - 10; x += 12) {
		for (let depth = 0; depth < 6; depth += 1)
			fill(x + depth, height - 14 + depth, 12 - 2 * depth, 1, PAPER);
	}
	write('Receipt', 26, 24, 5, INK);
	fill(26, 58, WIDTH - 52, 2, INK);
	lines.forEach((line, index) => {
		const room = Math.floor((WIDTH - 52) / 12);
		write(line.slice(0, room), 26, 72 + index * LINE_HEIGHT, 3, INK);
	});
	const [left, top, width, depth] = [WIDTH - 102, 18, 76, 34];
	fill(left, top, width, depth, STAMP);
	fill(left + 3, top + 3, width - 6, depth - 6, PAPER);
	write('Paid', left + 9, top + 7, 4, STAMP);
	return encodePng({ width: WIDTH, height, palette, pixels });
}
