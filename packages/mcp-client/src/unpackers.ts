import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

export type Unpacker = Transform;

/**
 * Options that decompress each chunk at once, because an event stream may never end. A proxy may compress a response
 * although the request did not ask for it.
 */
const AT_ONCE = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI_AT_ONCE = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  finishFlush: constants.BROTLI_OPERATION_FLUSH,
};
/** Decompressors by content encoding. Each factory gets the first bytes of the body. */
export const UNPACKERS: ReadonlyMap<string, (first: Buffer) => Unpacker> = new Map<
  string,
  (first: Buffer) => Unpacker
>([
  ['gzip', () => createGunzip(AT_ONCE)],
  ['x-gzip', () => createGunzip(AT_ONCE)],
  // Some servers leave out the header of zlib, whose low half byte is 8 (RFC 9110 §8.4.1.2).
  ['deflate', ([first = 0]) => (first % 16 === 8 ? createInflate(AT_ONCE) : createInflateRaw(AT_ONCE))],
  ['br', () => createBrotliDecompress(BROTLI_AT_ONCE)],
]);

/** Returns the encodings of a response, except those that change nothing. */
export const encodingOf = (header: unknown): string =>
  header === undefined
    ? ''
    : String(header)
        .toLowerCase()
        .split(',')
        .map((encoding) => encoding.trim())
        .filter((encoding) => encoding !== '' && encoding !== 'identity')
        .join(', ');
