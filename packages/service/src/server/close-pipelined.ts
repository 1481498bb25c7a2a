import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes the responses to pipelined requests when their connection ends. Node.js emits `close` only on the response
 * that is being written, not on those that wait behind it: resources that their requests hold until `close` would never
 * be released.
 */
export function closePipelined(server: Server): void {
  const waitingOn = new WeakMap<Socket, Set<ServerResponse>>();

  function waitingFor(socket: Socket): Set<ServerResponse> {
    const known = waitingOn.get(socket);
    if (known) return known;
    const waiting = new Set<ServerResponse>();
    waitingOn.set(socket, waiting);
    socket.once('close', () => {
      for (const res of waiting) {
        res.destroy();
        res.emit('close');
      }
    });
    return waiting;
  }

  server.on('request', ({ socket }, res) => {
    if (res.socket) return; // the next to be written
    const waiting = waitingFor(socket);
    waiting.add(res);
    res.once('socket', () => waiting.delete(res)); // from here on Node.js emits `close` on it
  });
}
