import { createBarrier } from './barrier.ts';
import { type Handler, sendJson } from './http-server.ts';

/** A token endpoint that delays its response, so that a test can act while a token is being obtained. */
export interface LateToken {
  readonly endpoint: Handler;
  /** Resolves when a client waits for a token. */
  readonly asked: Promise<void>;
  /** Lets this and all later responses be sent. */
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
