import { challenge, origin, reachable } from './endpoint-checks.ts';
import type { Check, Examination, Facts, Target } from './examination.ts';
import { clientAuthentication, grant, jwks, tokenEndpoint } from './grant-checks.ts';
import { clockSkew, scopes } from './peer-checks.ts';
import { createProbe } from './reports/probe.ts';
import { type CheckResult, type Report, skipped, toReport } from './reports/report.ts';
import { resourceIdentifier, resourceMetadata } from './resource-checks.ts';
import { authorizationServers, issuer, serverMetadata } from './server-checks.ts';
import { targetOf } from './target.ts';

/** Checks that need no credentials. */
const OUTSIDE: readonly Check[] = [
  reachable,
  resourceMetadata,
  resourceIdentifier,
  authorizationServers,
  serverMetadata,
  issuer,
  grant,
  tokenEndpoint,
  clientAuthentication,
  jwks,
  clockSkew,
  scopes,
  challenge,
  origin,
];

/** Checks that need a user, so only a hub can run them. */
const INSIDE = (['token_exchange', 'id_jag', 'redemption', 'tools_list'] as const).map(
  (check): Check => ({
    check,
    run: () =>
      skipped(
        'Needs a connector, which the hub examines as you: legate doctor --connector <id or short name>.',
      ),
  }),
);

/** Dependencies of an examination */
interface Deps {
  /** A guarded client, which follows no redirects: a redirect is a fault to report */
  readonly fetch: typeof globalThis.fetch;
  readonly clock: () => Date;
}

/** Milliseconds for all requests of one examination together */
const MAX_MS = 30_000;

/**
 * Examines a tool server as a hub would, and reports what is wrong. Every check runs, or reports why it cannot.
 * @param inside checks that need a user, run after the others
 */
export async function examine(
  target: Target,
  { fetch, clock }: Deps,
  inside: readonly Check[],
): Promise<Report> {
  const facts: Facts = { skews: [] };
  const signal = AbortSignal.timeout(MAX_MS);
  const probe = createProbe({ fetch, clock, signal, onSkew: (skew) => facts.skews.push(skew) });
  const examination: Examination = { target, probe, facts };
  const results: CheckResult[] = [];
  for (const { check, run } of [...OUTSIDE, ...inside]) results.push({ check, ...(await run(examination)) });
  return toReport(results);
}

/**
 * Examines a tool server by its URL, without a hub.
 * @param inside checks that need a user, such as those of `redemptionChecks`; by default they are skipped
 */
export const examineUrl = (url: string, deps: Deps, inside: readonly Check[] = INSIDE): Promise<Report> =>
  examine(targetOf(url), deps, inside);
