import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { HttpFailure } from './http-failure.ts';

type Inflate = (body: Buffer, options: { maxOutputLength: number }) => Buffer;

const inflaters: Record<string, Inflate> = {
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  // The header of zlib, which some services leave out, begins with 8 in its lower half.
  deflate: (body, options) => (((body[0] ?? 0) & 15) === 8 ? inflateSync : inflateRawSync)(body, options),
};

/**
 * Decodes a body to text. Decompresses it, even if no compression was requested. The charset is that of the byte order
 * mark, else the declared one, else UTF-8.
 * @param limit the most bytes after decompression
 * @throws HttpFailure `unusable` for a damaged or too large body
 */
export function decodeBody(body: Buffer, headers: Record<string, string>, limit: number): string {
  const bytes = decompress(body, headers['content-encoding']?.trim().toLowerCase() ?? '', limit);
  return new TextDecoder(findCharset(bytes, headers['content-type'] ?? '')).decode(bytes);
}

function decompress(body: Buffer, encoding: string, limit: number): Buffer {
  // Gzip is known by its first bytes, declared or not.
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  const inflate = isGzip ? gunzipSync : Object.hasOwn(inflaters, encoding) ? inflaters[encoding] : undefined;
  if (!inflate || body.length === 0) return body;
  try {
    return inflate(body, { maxOutputLength: limit });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? tooLarge(limit) : new HttpFailure('unusable', 'the answer could not be decompressed');
  }
}

/** Returns the failure of an answer over the limit. */
export function tooLarge(limit: number): HttpFailure {
  return new HttpFailure('unusable', `the answer is over ${limit / 1024} KiB`);
}

/** A byte order mark wins over the declared charset. */
function findCharset(bytes: Buffer, contentType: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  const declared = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(declared).encoding;
  } catch {
    return 'utf-8';
  }
}
