import type { RequestHandler } from 'express';

/**
 * Cuts the connection of a client that does not read an answer to its end in time. What it leaves unread stays in memory,
 * and readers that take a byte now and then could keep any number of answers there.
 * @param seconds from the moment at which the answer is complete here
 */
export function cutUnreadAnswers(seconds: number): RequestHandler {
  return (req, res, next) => {
    res.once('prefinish', () => {
      if (req.socket.writableLength === 0) return; // the system has taken all of it
      const timer = setTimeout(() => req.socket.destroy(), seconds * 1000);
      timer.unref();
      res.once('close', () => clearTimeout(timer));
    });
    next();
  };
}
