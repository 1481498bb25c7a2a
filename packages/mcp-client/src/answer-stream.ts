import { TextDecoder } from 'node:util';
import { ByteCollector, type MemoryHold, parsedJsonBytes } from '@legate/service/outbound';
import type { StreamReader } from './event-stream.ts';

/**
 * What counts for each byte of an answer until the caller has read it: the byte as it came, and as it is passed on. The
 * allocator keeps about as much again of what was just freed.
 */
export const COST_PER_BYTE = 2;
/** An answer that is longer is only decoded and parsed where there is room for what that makes of it. */
const LONG_BYTES = 65_536;
/** Of the bytes of a long answer, while it is passed on: its text, the text of what is made of it, and that in bytes */
const COPIES = 3;
/** What a line of an event takes before it is put together with the others, besides its bytes */
const LINE_BYTES = 64;

/** What is made of an answer lives for one turn of the event loop only: others must have room beside it, no more. */
export const hasRoomToPassOn = (bytes: Uint8Array, memory: MemoryHold | undefined): boolean =>
  memory === undefined ||
  bytes.byteLength <= LONG_BYTES ||
  memory.hasRoomFor(COPIES * bytes.byteLength + parsedJsonBytes(bytes));

export const NO_ROOM = Symbol('no room');
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** Hands an event stream over in whole lines, however small the chunks are that it comes in. */
export class AnswerStream {
  readonly #decoder = new TextDecoder();
  /** Of the line that has not ended yet */
  readonly #line = new ByteCollector();
  /** Bytes that the hold counts: all of the event that has not ended yet */
  #held = 0;

  constructor(
    readonly reader: StreamReader,
    private readonly memory: MemoryHold | undefined,
  ) {}

  /** Returns the message that was waited for, once it is there, or that there is no room for what has come. */
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
    // Between two events nothing is kept.
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
