import { methodNotAllowed } from '@legate/service';
import { Router } from 'express';

const KEPT_MS = 10_000;
type State = 'ok' | 'unavailable';

/**
 * `GET /bff/health`: whether the services behind the console respond. The result is kept for ten seconds, so that many open
 * pages cause no load.
 * @param deps.addresses URLs that return 200 while a service is healthy
 */
export function healthRoutes<Name extends string>(deps: {
  addresses: Readonly<Record<Name, string>>;
  fetch: typeof globalThis.fetch;
  clock: () => Date;
}): Router {
  let kept: { until: number; states: Promise<Record<string, State>> } | undefined;

  async function look(): Promise<Record<string, State>> {
    const entries = Object.entries<string>(deps.addresses).map(async ([name, address]) => {
      const isWell = await deps.fetch(address).then(
        async (answer) => {
          await answer.body?.cancel();
          return answer.status === 200;
        },
        () => false,
      );
      return [name, isWell ? 'ok' : 'unavailable'] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  const router = Router();
  router
    .route('/health')
    .get(async (_req, res) => {
      const now = deps.clock().getTime();
      if (!kept || kept.until <= now) kept = { until: now + KEPT_MS, states: look() };
      res.json(await kept.states);
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  return router;
}
