import { createBarrier } from './barrier.ts';
import { type Handler, sendJson } from './http-server.ts';

/** A token endpoint that lets its clients wait, so that something happens while a token is on its way. */
export interface LateToken {
  readonly endpoint: Handler;
  /** Somebody waits for a token. */
  readonly asked: Promise<void>;
  /** From now on it answers. */
  release(): void;
}

export function createLateToken(): LateToken {
  const [arrival, release] = [createBarrier(), createBarrier()];
  return {
    async endpoint(_req, res) {
      arrival.release();
      await release.passed;
      sendJson(res, 200, { access_token: 'late-token', token_type: 'Bearer', expires_in: 3600 });
    },
    asked: arrival.passed,
    release: release.release,
  };
}
