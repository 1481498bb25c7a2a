import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';

/** Times after which a client that does not read its response is disconnected */
interface UnreadLimits {
  /** The limit while the client reads nothing at all */
  readonly stalledSeconds: number;
  /** The limit for the whole response, however much of it is read */
  readonly seconds: number;
}

/** Number of checks within the limit for reading nothing */
const LOOKS = 4;

/**
 * Disconnects a client that does not read a response in time. Unread bytes stay in memory, and clients that read a byte
 * now and then could keep any number of responses there. Both times begin when the response is complete here.
 */
export function cutUnreadAnswers({ stalledSeconds, seconds }: UnreadLimits): RequestHandler {
  const everyMs = (Math.min(stalledSeconds, seconds) * 1000) / LOOKS;
  return (req, res, next) => {
    res.once('prefinish', () => {
      const { socket } = req;
      if (socket.writableLength === 0) return; // the operating system has taken all of it
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

/**
 * Changes whenever the operating system takes more of the written bytes; nothing else shows that it took part of a long
 * chunk.
 */
function takenOf(socket: Socket): string {
  const handle: unknown = Reflect.get(socket, '_handle');
  const isOpen = typeof handle === 'object' && handle !== null;
  return `${socket.bytesWritten - socket.writableLength} ${isOpen ? Reflect.get(handle, 'writeQueueSize') : ''}`;
}
