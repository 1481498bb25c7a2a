import { shareWhileRunning } from '@legate/single-flight';
import { Router } from 'express';

/** Rejects, or takes longer than a second: the service cannot do its work. */
export type ReadinessCheck = () => Promise<unknown>;

export type Health = ReturnType<typeof createHealth>;

const CHECK_TIMEOUT_MS = 1000;

/**
 * `/healthz`: the process runs. `/readyz`: it can do its work, 503 while starting, draining or without a store it needs.
 * The public sees no more than the names of the checks; reasons go to the log.
 */
export function createHealth(options: {
  checks: Readonly<Record<string, ReadinessCheck>>;
  onFailure?: (check: string, err: unknown) => void;
}) {
  let draining = false;
  const failedChecks = async (): Promise<string[]> => {
    const failed: string[] = [];
    await Promise.all(
      Object.entries(options.checks).map(async ([name, check]) => {
        try {
          await withTimeout(check());
        } catch (err) {
          failed.push(name);
          options.onFailure?.(name, err);
        }
      }),
    );
    return failed.sort();
  };
  /** The endpoint is public: concurrent requests share one run of the checks. */
  const sharedChecks = shareWhileRunning(failedChecks);

  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    res.set('Cache-Control', 'no-store');
    const failed = draining ? [] : await sharedChecks();
    if (draining) res.status(503).json({ status: 'draining' });
    else if (failed.length > 0) res.status(503).set('Retry-After', '5').json({ status: 'not_ready', failed });
    else res.json({ status: 'ready' });
  });
  return {
    router,
    /** Makes `/readyz` return 503 from now on, so that load balancers send no new requests. */
    drain(): void {
      draining = true;
    },
  };
}

async function withTimeout(check: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('readiness check timed out')), CHECK_TIMEOUT_MS);
  });
  await Promise.race([check, timeout]).finally(() => clearTimeout(timer));
}
