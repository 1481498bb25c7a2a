import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ByteCollector, type Memory } from '@legate/bounded-body/node';
import type { Dispatcher } from 'undici';
import { UnusableAnswer } from './unusable-answer.ts';

/** A response with its whole content, decompressed */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly content: Uint8Array<ArrayBuffer>;
}

export interface ReceiveLimits {
  /** Limit for the whole request and response */
  readonly timeoutMs: number;
  /** Limit for the content, after decompression */
  readonly maxBytes: number;
  readonly memory: Memory | undefined;
  /** The caller's */
  readonly signal: AbortSignal | null | undefined;
}

/**
 * Sends a request and receives the whole response. Uses `dispatch`, because the stream and the signal of `request` cost
 * as much as the request itself.
 * @param url of the request, for messages
 * @throws {UnusableAnswer} the response is a redirect, too large, or encoded in a way that was not asked for
 * @throws {TypeError} no connection, or a broken one
 * @throws {DOMException} `TimeoutError`, or the reason of the caller's signal
 */
export function receive(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  url: string,
  limits: ReceiveLimits,
): Promise<Received> {
  if (limits.signal?.aborted) return Promise.reject(limits.signal.reason);
  return new Promise((resolve, reject) => {
    const receiver = new Receiver(url, limits, resolve, reject);
    try {
      dispatcher.dispatch(request, receiver);
    } catch (err) {
      receiver.onResponseError(undefined, err);
    }
  });
}

/** No content, as in a 304 or the response to a HEAD, must not count as truncated content, whatever its encoding. */
const OR_EMPTY = { finishFlush: constants.Z_SYNC_FLUSH };
const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(OR_EMPTY)],
  ['x-gzip', () => createGunzip(OR_EMPTY)],
  ['deflate', () => createInflate(OR_EMPTY)],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
]);

/** Collects a response, and reports it or a failure exactly once. */
class Receiver implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #failure: { readonly reason: unknown } | undefined;
  #status = 0;
  #headers = new Headers();
  /** Undefined if the content is not compressed */
  #decoder: Transform | undefined;
  readonly #content: ByteCollector;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly url: string,
    private readonly limits: ReceiveLimits,
    private readonly resolve: (received: Received) => void,
    private readonly reject: (reason: unknown) => void,
  ) {
    this.#content = new ByteCollector(limits.memory);
    // undici's own time-outs restart with every chunk: this one limits the whole response.
    this.#timer = setTimeout(
      () => this.#fail(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      limits.timeoutMs,
    );
    this.#timer.unref();
    limits.signal?.addEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => this.#fail(this.limits.signal?.reason);

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(abortion());
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    received: IncomingHttpHeaders,
  ): void {
    if (status < 200) return; // an interim response
    this.#status = status;
    for (const [name, value] of Object.entries(received))
      for (const each of [value ?? []].flat()) this.#headers.append(name, each);
    const encoding = this.#headers.get('content-encoding')?.toLowerCase() ?? 'identity';
    const createDecoder = DECODERS.get(encoding);
    // 304 is not a redirect, but the response to a conditional request.
    if (status >= 300 && status < 400 && status !== 304) this.#refuse('redirects are not followed');
    else if (status > 599) this.#refuse(`status ${status}`);
    else if (createDecoder) this.#decodeBy(createDecoder());
    else if (encoding !== 'identity') this.#refuse('an encoding that was not asked for');
  }

  #decodeBy(decoder: Transform): void {
    this.#decoder = decoder
      .on('data', (chunk: Buffer) => this.#add(chunk))
      .on('drain', () => this.#controller?.resume())
      .on('end', () => this.#end())
      .on('error', (err) => this.#fail(failedFetch(err)));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#decoder) this.#add(chunk);
    else if (!this.#decoder.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#decoder) this.#decoder.end();
    else this.#end();
  }

  onResponseError(_controller: unknown, err: unknown): void {
    this.#fail(err instanceof TypeError ? err : failedFetch(err));
  }

  #add(chunk: Buffer): void {
    if (this.#failure) return;
    const { maxBytes } = this.limits;
    if (this.#content.size + chunk.byteLength > maxBytes) this.#refuse(`more than ${maxBytes} bytes`);
    else if (!this.#content.add(chunk)) this.#fail(new TypeError('no memory left for the answer'));
  }

  #end(): void {
    if (this.#failure) return;
    const content = new Uint8Array(this.#content.toBuffer());
    this.#release();
    this.resolve({ status: this.#status, headers: this.#headers, content });
  }

  #refuse(detail: string): void {
    this.#fail(new UnusableAnswer(this.url, detail, this.#status));
  }

  #fail(reason: unknown): void {
    if (this.#failure) return;
    this.#failure = { reason };
    this.#release();
    this.reject(reason);
    this.#decoder?.destroy();
    this.#controller?.abort(abortion());
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.limits.signal?.removeEventListener('abort', this.#onAbort);
    this.#content.release();
  }
}

const failedFetch = (cause: unknown): TypeError => new TypeError('fetch failed', { cause });

/** Ends the connection, which must not be used again: the rest of a response may follow on it. */
const abortion = (): Error => new Error('the request was aborted');
