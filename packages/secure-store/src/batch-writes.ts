import type { Redis } from 'ioredis';

/**
 * Sends all commands of one turn of the event loop in one write, so their replies usually arrive together: each further
 * system call costs several microseconds of CPU. ioredis' `enableAutoPipelining` does the same, but waits for the
 * replies before it sends the next commands.
 */
export function batchWrites(redis: Redis): void {
  redis.on('connect', () => {
    const { stream } = redis;
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (...args: unknown[]) => {
      if (stream.writableCorked === 0) {
        stream.cork();
        setImmediate(() => stream.uncork());
      }
      return write(...args);
    };
  });
}
