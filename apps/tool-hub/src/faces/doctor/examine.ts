import { challenge, origin, reachable } from './endpoint-checks.ts';
import type { Check, Examination, Facts, Target } from './examination.ts';
import { clientAuthentication, grant, jwks, tokenEndpoint } from './grant-checks.ts';
import { clockSkew, scopes } from './peer-checks.ts';
import { createProbe } from './probe.ts';
import { type CheckResult, type Report, toReport } from './report.ts';
import { resourceIdentifier, resourceMetadata } from './resource-checks.ts';
import { authorizationServers, issuer, serverMetadata } from './server-checks.ts';

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

/** Milliseconds for all requests of one examination together */
const MAX_MS = 30_000;

/**
 * Examines a tool server as a hub would, and reports what is wrong. Every check runs, or reports why it cannot.
 * @param fetch the guarded client's
 * @param inside checks that need a user, run after the others
 */
export async function examine(
  target: Target,
  { fetch, clock }: { fetch: typeof globalThis.fetch; clock: () => Date },
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
