import type { IncomingHttpHeaders } from 'node:http';
import { TextDecoder } from 'node:util';
import { ByteCollector, isFragmented, type MemoryHold, parsedJsonBytes } from '@legate/service';
import type { Dispatcher } from 'undici';
import type { Presence } from '../caller/presence.ts';
import type { StreamReader } from './event-stream.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The whole body, or of an event stream the message that was waited for; empty when it did not come. */
  readonly text: string;
  /** Of an event stream, with the place where it ended */
  readonly stream?: StreamReader | undefined;
}

/** The peer did not answer, or not with what can be taken. */
export class ExchangeFailure extends Error {
  override readonly name = 'ExchangeFailure';
  constructor(
    /** `no_memory`: its answer was more than the memory that is left for whoever asked. */
    readonly kind: 'unavailable' | 'unusable' | 'certificate_refused' | 'no_memory',
    readonly reason: string,
    /** There was no connection: nothing of the request can have arrived. */
    readonly isUnsent = false,
  ) {
    super(reason);
  }
}

/**
 * One request on the pooled connections of the guarded dispatcher. Nothing is repeated: a tool call may have had its effect
 * although no answer came. It is `dispatch` and not `request` or `fetch`, whose streams cost more than all else here.
 * @param options.readStream makes a reader when the answer is an event stream
 * @param options.presence of a caller who may go away: then the connection is cut, which is how a peer learns of it
 * @param options.memory counts what is kept of the answer; where that is used afterwards, it stays counted
 * @throws {ExchangeFailure}
 */
export function exchange(
  dispatcher: Dispatcher,
  options: {
    method: 'GET' | 'POST';
    origin: string;
    path: string;
    headers: string[];
    body: string | null;
    timeoutMs: number;
    maxBytes: number;
    readStream: () => StreamReader;
    presence?: Presence | undefined;
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

const callerGone = (): ExchangeFailure => new ExchangeFailure('unavailable', 'its caller went away');

/** Interim answers (1xx) before the answer. Servers send one or two; each costs the hub as much as a small answer. */
const MAX_INTERIM_ANSWERS = 20;

/**
 * What counts for each byte of an answer until the caller has read it: the byte as it came, and as it is passed on. The
 * allocator keeps about as much again of what was just freed.
 */
const COST_PER_BYTE = 2;
/** An answer that is longer is only decoded and parsed where there is room for what that makes of it. */
const LONG_BYTES = 65_536;
/** Of the bytes of a long answer, while it is passed on: its text, the text of what is made of it, and that in bytes */
const COPIES = 3;
/** What a line of an event takes before it is put together with the others, besides its bytes */
const LINE_BYTES = 64;

/** Milliseconds that an event stream gets to end after the answer. */
const STREAM_END_MS = 1000;

/** Collects an answer within its limits of time and size, and answers exactly once. */
class AnswerCollector implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout;
  #failure: ExchangeFailure | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #interimAnswers = 0;
  #size = 0;
  #chunks = 0;
  readonly #body: ByteCollector;
  #stream: AnswerStream | undefined;
  #isAnswered = false;

  constructor(
    private readonly limits: {
      timeoutMs: number;
      maxBytes: number;
      readStream: () => StreamReader;
      presence?: Presence | undefined;
      memory?: MemoryHold | undefined;
    },
    private readonly resolve: (answer: RawAnswer) => void,
    private readonly reject: (failure: ExchangeFailure) => void,
  ) {
    // undici's own time-outs start anew with every chunk: this one is for all of it.
    this.#timer = setTimeout(
      () => this.#fail(new ExchangeFailure('unavailable', 'it did not answer in time')),
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
        this.#fail(
          new ExchangeFailure('unusable', `it sent more than ${MAX_INTERIM_ANSWERS} interim answers`),
        );
      return; // the answer is still to come
    }
    this.#status = status;
    this.#headers = headers;
    if (headers['content-type']?.toLowerCase().startsWith('text/event-stream'))
      this.#stream = new AnswerStream(this.limits.readStream(), this.limits.memory);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.limits.maxBytes) {
      this.#fail(new ExchangeFailure('unusable', `it answered with more than ${this.limits.maxBytes} bytes`));
      return;
    }
    this.#chunks += 1;
    if (isFragmented(this.#chunks, this.#size))
      this.#fail(new ExchangeFailure('unusable', 'it answered in too many small chunks'));
    else if (this.#stream) this.#readStream(this.#stream, chunk);
    else if (!this.#body.add(chunk)) this.#fail(noMemory());
  }

  onResponseEnd(): void {
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
    // A request starts when its connection stands.
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
    // A stream that ends now leaves its connection to the next call; one that does not is cut.
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => this.#fail(new ExchangeFailure('unusable', 'its stream did not end')),
      STREAM_END_MS,
    );
  }

  #answer(text: string): void {
    this.#isAnswered = true;
    this.limits.presence?.offLeave(this.#onLeave);
    this.resolve({ status: this.#status, headers: this.#headers, text, stream: this.#stream?.reader });
  }

  #fail(failure: ExchangeFailure): void {
    clearTimeout(this.#timer);
    this.limits.presence?.offLeave(this.#onLeave);
    this.#failure = failure;
    if (!this.#isAnswered) {
      this.#body.release();
      this.#stream?.release();
    }
    this.reject(failure);
    this.#controller?.abort(failure);
  }
}

const noMemory = (): ExchangeFailure =>
  new ExchangeFailure('no_memory', 'there is no memory left for its answer');

/** What is made of an answer lives for one turn of the event loop only: others must have room beside it, no more. */
const hasRoomToPassOn = (bytes: Uint8Array, memory: MemoryHold | undefined): boolean =>
  memory === undefined ||
  bytes.byteLength <= LONG_BYTES ||
  memory.hasRoomFor(COPIES * bytes.byteLength + parsedJsonBytes(bytes));

const NO_ROOM = Symbol('no room');
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** Hands an event stream over in whole lines, however small the chunks are that it comes in. */
class AnswerStream {
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

function toFailure(err: Error, isUnsent: boolean): ExchangeFailure {
  const code = 'code' in err && typeof err.code === 'string' ? err.code : 'network';
  if (code === 'ERR_FORBIDDEN_ADDRESS')
    return new ExchangeFailure('unusable', 'its address is not one that may be reached');
  if (UNTRUSTED.has(code))
    return new ExchangeFailure('unusable', `its certificate is not one that may be trusted (${code})`);
  if (REFUSED_CERTIFICATE.test(code))
    return new ExchangeFailure('certificate_refused', `it wants another certificate of ours (${code})`);
  return new ExchangeFailure('unavailable', `it cannot be reached (${code})`, isUnsent);
}

/** Of a server's certificate: it will be the same the next time. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
/** Alerts 42 to 48 and 116 (RFC 8446 §6.2) as OpenSSL names them. A server may as well just hang up. */
const REFUSED_CERTIFICATE =
  /^ERR_SSL_(?:SSLV3_ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+)|TLSV1_ALERT_(?:UNKNOWN_CA|ACCESS_DENIED)|TLSV13_ALERT_CERTIFICATE_REQUIRED)$/;
