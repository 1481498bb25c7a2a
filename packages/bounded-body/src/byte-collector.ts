import type { Memory } from './memory.ts';

const MIN_PAGE_BYTES = 8192;
const MAX_PAGE_BYTES = 65_536;

/**
 * Collects a body or a response that arrives in chunks. Chunks are copied into pages of up to 64 KiB, since each chunk
 * of a stream is an object of about 200 bytes, even if it holds one byte. A body in one chunk is not copied.
 */
export class ByteCollector {
  readonly #hold: Memory | undefined;
  #size = 0;
  /** The first chunk, while it is the only one */
  #only: Uint8Array | undefined;
  #pages: Buffer[] = [];
  /** Unused bytes of the last page */
  #free = 0;
  /** Bytes that `hold` counts for this collector */
  #held = 0;

  readonly #costPerByte: number;

  /**
   * @param hold counts the bytes before they are kept; undefined: not counted
   * @param costPerByte bytes to count for each byte kept, including later copies. Default 1
   */
  constructor(hold?: Memory, costPerByte = 1) {
    this.#hold = hold;
    this.#costPerByte = costPerByte;
  }

  /** Bytes collected so far */
  get size(): number {
    return this.#size;
  }

  /** Adds a chunk. Returns false, without keeping it, if there is no room. */
  add(chunk: Uint8Array): boolean {
    if (this.#size === 0 && chunk.byteLength > 0) {
      if (!this.#take(chunk.byteLength)) return false;
      this.#only = chunk;
      this.#size = chunk.byteLength;
      return true;
    }
    if (this.#only && !this.#openPages(this.#only)) return false;
    if (!this.#append(chunk)) return false;
    this.#size += chunk.byteLength;
    return true;
  }

  /** Returns everything that was added. The buffer may be one of the added chunks: do not write to it. */
  toBuffer(): Buffer {
    if (this.#only) return Buffer.from(this.#only.buffer, this.#only.byteOffset, this.#only.byteLength);
    const [page] = this.#pages;
    return this.#pages.length === 1 && page
      ? page.subarray(0, this.#size)
      : Buffer.concat(this.#pages, this.#size);
  }

  /** Drops everything and releases its bytes. The collector can be reused. */
  release(): void {
    this.drop();
    this.#hold?.give(this.#held);
    this.#held = 0;
  }

  /** Drops everything, but leaves the bytes counted, because the caller keeps them in another form. */
  drop(): void {
    this.#only = undefined;
    this.#pages = [];
    this.#free = 0;
    this.#size = 0;
  }

  #openPages(only: Uint8Array): boolean {
    this.#only = undefined;
    if (!this.#append(only)) return false;
    const cost = only.byteLength * this.#costPerByte;
    this.#held -= cost;
    this.#hold?.give(cost);
    return true;
  }

  #append(chunk: Uint8Array): boolean {
    const fitting = Math.min(this.#free, chunk.byteLength);
    const rest = chunk.byteLength - fitting;
    const last = this.#pages.at(-1);
    const wanted = Math.max(rest, Math.min(MAX_PAGE_BYTES, Math.max(MIN_PAGE_BYTES, this.#size)));
    if (rest > 0 && !this.#take(wanted)) return false;
    if (last)
      last.set(fitting === chunk.byteLength ? chunk : chunk.subarray(0, fitting), last.length - this.#free);
    this.#free -= fitting;
    if (rest === 0) return true;
    const page = Buffer.allocUnsafeSlow(wanted); // not from Node's pool, which would then stay in memory
    page.set(chunk.subarray(fitting));
    this.#pages.push(page);
    this.#free = wanted - rest;
    return true;
  }

  #take(bytes: number): boolean {
    const cost = bytes * this.#costPerByte;
    if (this.#hold && !this.#hold.take(cost)) return false;
    this.#held += cost;
    return true;
  }
}
