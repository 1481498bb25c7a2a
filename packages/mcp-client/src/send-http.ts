import type { IncomingHttpHeaders } from 'node:http';
import { isEventStream } from '@legate/mcp-wire';
import { ByteCollector, isFragmented, type MemoryHold } from '@legate/service/outbound';
import type { Dispatcher } from 'undici';
import { AnswerStream, COST_PER_BYTE, hasRoomToPassOn, NO_ROOM } from './answer-stream.ts';
import type { StreamReader } from './event-stream.ts';
import {
  callerGone,
  HttpFailure,
  noMemory,
  notEncoded,
  toFailure,
  tooFragmented,
  tooLarge,
  unknownEncoding,
} from './http-failure.ts';
import type { Waiting } from './mcp-target.ts';
import { encodingOf, UNPACKERS, type Unpacker } from './unpackers.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The whole body, or the awaited message of an event stream; empty if that did not arrive. */
  readonly text: string;
  /** The position at which an event stream ended */
  readonly stream?: StreamReader | undefined;
}

/** Returns true if a stream has ended without the response. */
export const isUnanswered = (raw: RawAnswer): raw is Unanswered =>
  raw.stream !== undefined && raw.text === '';

interface Unanswered extends RawAnswer {
  readonly stream: StreamReader;
}

/**
 * Sends one request on the pooled connections of the guarded dispatcher, without retries: a tool call may have taken
 * effect although no response arrived. Uses `dispatch` because the streams of `request` and `fetch` would cost more
 * than everything else here.
 * @param options.readStream creates a reader if the response is an event stream
 * @param options.presence of the caller. If they leave, the connection is closed, which notifies the peer
 * @param options.memory counts the retained bytes of the response. They stay counted after the call
 * @throws {HttpFailure}
 */
export function sendHttp(
  dispatcher: Dispatcher,
  options: {
    method: 'GET' | 'POST' | 'DELETE';
    origin: string;
    path: string;
    headers: string[];
    body: string | null;
    timeoutMs: number;
    maxBytes: number;
    readStream: () => StreamReader;
    presence?: Waiting | undefined;
    memory?: MemoryHold | undefined;
  },
): Promise<RawAnswer> {
  const { method, origin, path, headers, body, timeoutMs, presence } = options;
  if (presence?.hasLeft) return Promise.reject(callerGone());
  return new Promise((resolve, reject) => {
    const collector = new AnswerCollector(options, resolve, reject);
    dispatcher.dispatch(
      { origin, path, method, headers, body, headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
      collector,
    );
  });
}

/** Maximum number of interim responses (1xx). Servers send one or two; each costs as much as a small response. */
const MAX_INTERIM_ANSWERS = 20;

/** Milliseconds within which an event stream must end after the response. */
const STREAM_END_MS = 1000;

/** Collects a response within limits of time and size, and reports it exactly once. */
class AnswerCollector implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout;
  #failure: HttpFailure | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #interimAnswers = 0;
  #size = 0;
  #unpacker: Unpacker | undefined;
  /** Creates the decompressor from the first bytes; undefined if the response is not compressed */
  #unpack: ((first: Buffer) => Unpacker) | undefined;
  /** Bytes received, before decompression */
  #packedSize = 0;
  #packedChunks = 0;
  #chunks = 0;
  readonly #body: ByteCollector;
  #stream: AnswerStream | undefined;
  #isAnswered = false;

  constructor(
    private readonly limits: {
      timeoutMs: number;
      maxBytes: number;
      readStream: () => StreamReader;
      presence?: Waiting | undefined;
      memory?: MemoryHold | undefined;
    },
    private readonly resolve: (answer: RawAnswer) => void,
    private readonly reject: (failure: HttpFailure) => void,
  ) {
    // undici's own time-outs restart with every chunk: this one limits the whole response.
    this.#timer = setTimeout(
      () => this.#fail(new HttpFailure('unavailable', 'it did not answer in time')),
      limits.timeoutMs,
    );
    limits.presence?.onLeave(this.#onLeave);
    this.#body = new ByteCollector(limits.memory, COST_PER_BYTE);
  }

  readonly #onLeave = (): void => this.#fail(callerGone());

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) {
      this.#interimAnswers += 1;
      if (this.#interimAnswers > MAX_INTERIM_ANSWERS)
        this.#fail(new HttpFailure('unusable', `it sent more than ${MAX_INTERIM_ANSWERS} interim answers`));
      return; // an interim response
    }
    this.#status = status;
    this.#headers = headers;
    this.#unpack = this.#unpackerFor(encodingOf(headers['content-encoding']));
    if (isEventStream(headers['content-type']))
      this.#stream = new AnswerStream(this.limits.readStream(), this.limits.memory);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#unpack) {
      this.#onBytes(chunk);
      return;
    }
    this.#unpacker ??= this.#unpack(chunk);
    this.#packedSize += chunk.length;
    this.#packedChunks += 1;
    if (this.#packedSize > this.limits.maxBytes) this.#fail(tooLarge(this.limits.maxBytes));
    else if (isFragmented(this.#packedChunks, this.#packedSize)) this.#fail(tooFragmented());
    else this.#unpacker.write(chunk);
  }

  onResponseEnd(): void {
    if (this.#unpacker) this.#unpacker.end();
    else this.#onEnd();
  }

  /** @returns undefined if the response is not compressed */
  #unpackerFor(encoding: string): ((first: Buffer) => Unpacker) | undefined {
    if (encoding === '') return undefined;
    const unpack = UNPACKERS.get(encoding);
    // For a refusal, the status is enough: its body need not be readable.
    if (!unpack && this.#status < 300) this.#fail(unknownEncoding(encoding));
    return unpack && ((first) => this.#reading(unpack(first), encoding));
  }

  #reading(unpacker: Unpacker, encoding: string): Unpacker {
    return unpacker
      .on('data', (chunk: Buffer) => this.#onBytes(chunk))
      .on('end', () => this.#onEnd())
      .on('error', () => this.#fail(notEncoded(encoding)));
  }

  #onBytes(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.limits.maxBytes) {
      this.#fail(tooLarge(this.limits.maxBytes));
      return;
    }
    this.#chunks += 1;
    if (isFragmented(this.#chunks, this.#size)) this.#fail(tooFragmented());
    else if (this.#stream) this.#readStream(this.#stream, chunk);
    else if (!this.#body.add(chunk)) this.#fail(noMemory());
  }

  #onEnd(): void {
    clearTimeout(this.#timer);
    const bytes = this.#body.toBuffer();
    if (!hasRoomToPassOn(bytes, this.limits.memory)) {
      this.#fail(noMemory());
      return;
    }
    this.#body.drop();
    if (!this.#isAnswered) this.#stream?.release();
    this.#answer(bytes.toString());
  }

  onResponseError(_controller: Dispatcher.DispatchController, err: Error): void {
    // Without a controller no connection was established, so the request was not sent.
    this.#fail(this.#failure ?? toFailure(err, this.#controller === undefined));
  }

  #readStream(stream: AnswerStream, chunk: Buffer): void {
    if (this.#isAnswered) return;
    const found = stream.read(chunk);
    if (found === NO_ROOM) {
      this.#fail(noMemory());
      return;
    }
    if (found === undefined) return;
    this.#answer(found);
    // If the stream ends soon, its connection can be reused; otherwise it is closed.
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => this.#fail(new HttpFailure('unusable', 'its stream did not end')),
      STREAM_END_MS,
    );
  }

  #answer(text: string): void {
    this.#isAnswered = true;
    this.limits.presence?.offLeave(this.#onLeave);
    this.resolve({ status: this.#status, headers: this.#headers, text, stream: this.#stream?.reader });
  }

  #fail(failure: HttpFailure): void {
    clearTimeout(this.#timer);
    this.limits.presence?.offLeave(this.#onLeave);
    this.#failure = failure;
    if (!this.#isAnswered) {
      this.#body.release();
      this.#stream?.release();
    }
    this.reject(failure);
    this.#unpacker?.destroy();
    this.#controller?.abort(failure);
  }
}
