import { Counter, Gauge, type Registry } from 'prom-client';

/** Decisions of rate limits, labelled with the limit, but not with the caller. */
export function rateLimitDecisions(
  registry: Registry,
): (limit: string) => (decision: 'allowed' | 'refused') => void {
  const decisions = new Counter({
    name: 'rate_limit_decisions_total',
    help: 'Requests that a rate limit counted, by result',
    labelNames: ['limit', 'decision'],
    registers: [registry],
  });
  return (limit) => {
    // Looked up once: a hub counts each request, and looking up labels costs more than counting.
    const [allowed, refused] = ['allowed', 'refused'].map((decision) =>
      decisions.labels({ limit, decision }),
    );
    for (const counter of [allowed, refused]) counter?.inc(0);
    return (decision) => (decision === 'allowed' ? allowed : refused)?.inc();
  };
}

/** Reads of the key sets of issuers. The issuers are configured, so there are few labels. */
export function keySetReads(registry: Registry): (issuer: string) => (outcome: 'read' | 'failed') => void {
  const reads = new Counter({
    name: 'jwks_reads_total',
    help: 'Fetches of the signing keys of an issuer; after a failed one the last known keys stay in use',
    labelNames: ['issuer', 'outcome'],
    registers: [registry],
  });
  return (issuer) => {
    for (const outcome of ['read', 'failed']) reads.inc({ issuer, outcome }, 0);
    return (outcome) => reads.inc({ issuer, outcome });
  };
}

/** A gauge that is read when Prometheus scrapes. */
export function observedGauge<Label extends string>(
  registry: Registry,
  options: {
    name: string;
    help: string;
    label: Label;
    /** Values by label. If it rejects, the values stay as they were, so that the other metrics are still served. */
    observe: () => Readonly<Record<string, number>> | Promise<Readonly<Record<string, number>>>;
  },
): void {
  const { name, help, label, observe } = options;
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const values = await Promise.resolve()
        .then(observe)
        .catch(() => ({}));
      for (const [value, number] of Object.entries(values))
        this.set({ [label]: value } as Record<Label, string>, number);
    },
  });
}

/** How long a failure counts as current without another attempt. */
const FAILURE_LASTS_MS = 60_000;

/**
 * A gauge for alerts on the current state: 1 while the last attempt failed, 0 after a success. Without further attempts
 * it returns to 0 after a minute: nobody is affected then, and nothing else would end the alert.
 * @returns to be called with the outcome of each attempt
 */
export function failingGauge(registry: Registry, options: { name: string; help: string; clock: () => Date }) {
  const now = () => options.clock().getTime();
  let failedAtMs: number | undefined;
  new Gauge({
    name: options.name,
    help: options.help,
    registers: [registry],
    collect() {
      this.set(failedAtMs !== undefined && now() - failedAtMs < FAILURE_LASTS_MS ? 1 : 0);
    },
  });
  return {
    failed(): void {
      failedAtMs = now();
    },
    worked(): void {
      failedAtMs = undefined;
    },
  };
}

/** Shows whether Redis refuses a service's password or permissions; calls `checkAccess` when Prometheus scrapes. */
export function redisAccessGauge(registry: Registry, checkAccess: () => Promise<void>): void {
  new Gauge({
    name: 'redis_access_refused',
    help: '1 while Redis refuses the password of this service or denies it a command',
    registers: [registry],
    async collect() {
      this.set(
        await checkAccess().then(
          () => 0,
          () => 1,
        ),
      );
    },
  });
}
