import { TextDecoder } from 'node:util';
import { ByteCollector, type MemoryHold, parsedJsonBytes } from '@legate/service/outbound';
import type { StreamReader } from './event-stream.ts';

/**
 * Memory cost of each byte of a response until the caller has read it: the byte as received, and as passed on. The
 * allocator retains about as much again of what was just freed.
 */
export const COST_PER_BYTE = 2;
/** Longer responses are decoded and parsed only if there is room for the result. */
const LONG_BYTES = 65_536;
/** Copies of a long response while it is passed on: its text, the output text, and the output bytes */
const COPIES = 3;
/** Overhead of a line of an event until it is joined with the others, in addition to its bytes */
const LINE_BYTES = 64;

/**
 * The intermediate copies of a response live for only one turn of the event loop: there must be room for them, but they
 * are not counted.
 */
export const hasRoomToPassOn = (bytes: Uint8Array, memory: MemoryHold | undefined): boolean =>
  memory === undefined ||
  bytes.byteLength <= LONG_BYTES ||
  memory.hasRoomFor(COPIES * bytes.byteLength + parsedJsonBytes(bytes));

export const NO_ROOM = Symbol('no room');
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** Passes on an event stream in whole lines, however small the received chunks are. */
export class AnswerStream {
  readonly #decoder = new TextDecoder();
  /** Bytes of the incomplete line */
  readonly #line = new ByteCollector();
  /** Bytes that the hold counts: all of the incomplete event */
  #held = 0;

  constructor(
    readonly reader: StreamReader,
    private readonly memory: MemoryHold | undefined,
  ) {}

  /** Returns the awaited message once it is complete, or NO_ROOM if there is no room for the data so far. */
  read(chunk: Buffer): string | typeof NO_ROOM | undefined {
    if (!this.#take(chunk)) return NO_ROOM;
    const end = Math.max(chunk.lastIndexOf(LINE_FEED), chunk.lastIndexOf(CARRIAGE_RETURN)) + 1;
    this.#line.add(end === 0 ? chunk : chunk.subarray(0, end));
    if (end === 0) return undefined;
    const bytes = this.#line.toBuffer();
    if (!hasRoomToPassOn(bytes, this.memory)) return NO_ROOM;
    this.#line.drop();
    if (end < chunk.length) this.#line.add(chunk.subarray(end));
    const text = this.#decoder.decode(bytes, { stream: true });
    const found = this.reader.read(text);
    // Nothing is retained between two events.
    if (found === undefined && end === chunk.length && text.endsWith('\n\n')) this.release();
    return found;
  }

  release(): void {
    this.#line.drop();
    this.memory?.give(this.#held);
    this.#held = 0;
  }

  #take(chunk: Buffer): boolean {
    if (!this.memory) return true;
    let bytes = chunk.length * COST_PER_BYTE;
    for (const lineEnd of [LINE_FEED, CARRIAGE_RETURN])
      for (let at = chunk.indexOf(lineEnd); at !== -1; at = chunk.indexOf(lineEnd, at + 1))
        bytes += LINE_BYTES;
    if (!this.memory.take(bytes)) return false;
    this.#held += bytes;
    return true;
  }
}
