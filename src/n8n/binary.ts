import type { IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';

import { isPlainObject, own, type PlainObject } from '../json/plainObject';
import type { ToolResult } from '../call/session';

interface Blob {
	readonly bytes: Buffer;
	readonly mimeType?: string;
	readonly fileName?: string;
}

/**
 * Moves images, audio and resource blobs of a result to n8n binary: `data`, `data_1`, … (C14).
 * The block that held one keeps everything but the bytes and names the binary instead.
 */
export async function extractBinary(
	context: IExecuteFunctions,
	result: ToolResult,
): Promise<{ readonly result: ToolResult; readonly binary?: IBinaryKeyData }> {
	const content = own(result, 'content');
	if (!Array.isArray(content)) return { result };
	const binary: IBinaryKeyData = {};
	const blocks: unknown[] = [];
	for (const block of content as readonly unknown[]) {
		const blob = isPlainObject(block) ? readBlob(block) : undefined;
		if (blob === undefined || !isPlainObject(block)) {
			blocks.push(block);
			continue;
		}
		const count = Object.keys(binary).length;
		const key = count === 0 ? 'data' : `data_${String(count)}`;
		binary[key] = await context.helpers.prepareBinaryData(blob.bytes, blob.fileName, blob.mimeType);
		blocks.push(withoutBytes(block, key));
	}
	if (Object.keys(binary).length === 0) return { result };
	return { result: { ...result, content: blocks }, binary };
}

function readBlob(block: PlainObject): Blob | undefined {
	const { type, data, mimeType, resource } = block;
	if (type === 'image' || type === 'audio') {
		const bytes = decodeBase64(data);
		if (bytes === undefined) return undefined;
		return { bytes, ...(typeof mimeType === 'string' ? { mimeType } : {}) };
	}
	if (type === 'resource' && isPlainObject(resource)) {
		const bytes = decodeBase64(resource['blob']);
		if (bytes === undefined) return undefined;
		const { uri } = resource;
		const fileName = typeof uri === 'string' ? uri.split(/[?#]/)[0]?.split('/').at(-1) : undefined;
		return {
			bytes,
			...(typeof resource['mimeType'] === 'string' ? { mimeType: resource['mimeType'] } : {}),
			...(fileName === undefined || fileName === '' ? {} : { fileName }),
		};
	}
	return undefined;
}

/** Either alphabet, with line breaks or without; undefined for anything else, which would lose what does not fit. */
function decodeBase64(text: unknown): Buffer | undefined {
	if (typeof text !== 'string' || !/^[A-Za-z0-9+/_\s-]*={0,2}\s*$/.test(text)) return undefined;
	const bytes = Buffer.from(text, 'base64');
	const digits = text.replace(/[\s=]/g, '').length;
	return digits % 4 === 1 ? undefined : bytes;
}

function withoutBytes(block: PlainObject, key: string): PlainObject {
	if (isPlainObject(block['resource'])) {
		const { blob: _blob, ...resource } = block['resource'];
		return { ...block, resource, binary: key };
	}
	const { data: _data, ...rest } = block;
	return { ...rest, binary: key };
}
