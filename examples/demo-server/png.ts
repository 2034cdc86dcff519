import { crc32, deflateSync } from 'node:zlib';

/** A picture with a palette: `pixels` holds one palette index a pixel, row by row. */
export type Picture = {
	readonly width: number;
	readonly height: number;
	readonly palette: readonly (readonly [red: number, green: number, blue: number])[];
	readonly pixels: Uint8Array;
};

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The picture as a PNG file. */
export function encodePng({ width, height, palette, pixels }: Picture): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 3, 0, 0, 0], 8); // 8 bits a pixel, palette, no interlacing
	const rows = Buffer.alloc((width + 1) * height); // each row begins with a filter byte: none
	for (let y = 0; y < height; y += 1) {
		rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
	}
	return Buffer.concat([
		SIGNATURE,
		chunk('IHDR', header),
		chunk('PLTE', Buffer.from(palette.flat())),
		chunk('IDAT', deflateSync(rows)),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(data.length);
	const sum = Buffer.alloc(4);
	sum.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, sum]);
}
