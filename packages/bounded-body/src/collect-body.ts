import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { ByteCollector } from './byte-collector.ts';
import { isFragmented } from './is-fragmented.ts';
import type { Memory } from './memory.ts';

/**
 * The reason why a body was not read: `hung_up` if its sender closed the connection, `no_room` if there is no memory
 * left.
 */
export type BodyFault = 'too_large' | 'fragmented' | 'no_room' | 'hung_up';

/** Milliseconds for sending a response before the connection is closed */
const ANSWER_MS = 500;

/**
 * Reads the body of a request, and keeps no more of it than the limits allow, however small its chunks are.
 * @param done is called once, in the caller's asynchronous context: with the body, or with a fault and an empty body.
 * After a fault the rest of the body is read and dropped, so that the client receives the response. The connection of a
 * fragmented body is closed after that
 */
export function collectBody(
  req: IncomingMessage,
  limits: { readonly maxBytes: number; readonly memory?: Memory | undefined },
  done: (fault: BodyFault | undefined, body: ByteCollector) => void,
): void {
  // Node.js emits the events of a request outside of its context. `AsyncResource.bind` doubles what a small request costs.
  const context = new AsyncResource('RequestBody');
  const body = new ByteCollector(limits.memory);
  let chunks = 0;
  let isDone = false;
  const end = (fault?: BodyFault): void => {
    if (isDone) return;
    isDone = true;
    if (fault) body.release();
    context.runInAsyncScope(done, undefined, fault, body);
    // Node.js would keep each chunk of a paused request, and it takes time to drop the chunks of one that is not
    // paused.
    if (fault === 'fragmented') setTimeout(() => req.destroy(), ANSWER_MS).unref();
  };
  req.on('data', (chunk: Buffer) => {
    if (isDone) return;
    chunks += 1;
    if (body.size + chunk.length > limits.maxBytes) end('too_large');
    else if (!body.add(chunk)) end('no_room');
    else if (isFragmented(chunks, body.size)) end('fragmented');
  });
  req.once('end', () => end());
  req.once('close', () => end('hung_up'));
  req.once('error', () => end('hung_up'));
  if (Number(req.headers['content-length'] ?? 0) > limits.maxBytes) end('too_large');
  else if (req.readableEnded)
    end(); // already read, and the body was empty
  else if (req.destroyed) end('hung_up');
}
