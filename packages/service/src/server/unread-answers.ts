import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';

/** Times after which the connection of a client that does not read its answer is cut */
interface UnreadLimits {
  /** The limit while the client reads nothing at all */
  readonly stalledSeconds: number;
  /** However much of it is read */
  readonly seconds: number;
}

/** How often it is looked at while nothing may be read */
const LOOKS = 4;

/**
 * Cuts the connection of a client that does not read an answer in time. What it leaves unread stays in memory, and readers
 * that take a byte now and then could keep any number of answers there. Both times begin when the answer is complete here.
 */
export function cutUnreadAnswers({ stalledSeconds, seconds }: UnreadLimits): RequestHandler {
  const everyMs = (Math.min(stalledSeconds, seconds) * 1000) / LOOKS;
  return (req, res, next) => {
    res.once('prefinish', () => {
      const { socket } = req;
      if (socket.writableLength === 0) return; // the system has taken all of it
      const since = performance.now();
      let taken = takenOf(socket);
      let takenAt = since;
      // Not the socket's time-out, which each further request prolongs
      const timer = setInterval(() => {
        const now = performance.now();
        const takenNow = takenOf(socket);
        if (takenNow !== taken) [taken, takenAt] = [takenNow, now];
        if (now - takenAt >= stalledSeconds * 1000 || now - since >= seconds * 1000) socket.destroy();
      }, everyMs);
      timer.unref();
      res.once('close', () => clearInterval(timer));
    });
    next();
  };
}

/** Changes whenever the system takes more of what is written; nothing else shows that a part of a long chunk was taken. */
function takenOf(socket: Socket): string {
  const handle: unknown = Reflect.get(socket, '_handle');
  const isOpen = typeof handle === 'object' && handle !== null;
  return `${socket.bytesWritten - socket.writableLength} ${isOpen ? Reflect.get(handle, 'writeQueueSize') : ''}`;
}
