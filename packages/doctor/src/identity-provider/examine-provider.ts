import { createProbe } from '../reports/probe.ts';
import { type CheckResult, type Report, toReport } from '../reports/report.ts';
import { capabilities } from './capabilities.ts';
import { client } from './client.ts';
import type { Leg, ProviderFacts, ProviderTarget } from './examination.ts';
import { fields, type ProviderSettings, settingsOf } from './fields.ts';
import { idJag } from './id-jag.ts';
import { keys } from './keys.ts';
import { metadata } from './metadata.ts';
import { organization } from './organization.ts';
import { createPeerText } from './peer-text.ts';
import { signIn } from './sign-in.ts';
import { tokenExchange } from './token-exchange.ts';

/** Legs in the order in which they run: later ones depend on earlier ones. */
const LEGS: readonly Leg[] = [
  metadata,
  keys,
  capabilities,
  signIn,
  client,
  organization,
  idJag,
  tokenExchange,
  fields,
];

/** Milliseconds for all requests of one leg; a person may take minutes to sign in, which does not count */
const MAX_MS = 30_000;

export interface ProviderReport {
  readonly report: Report;
  /** The kind that was examined: the given one, or the one that the metadata look like */
  readonly kind: string;
  /** Undefined if the metadata do not name the issuer */
  readonly settings: ProviderSettings | undefined;
}

/**
 * Examines an identity provider as the hub would use it, leg by leg. Every leg runs, or reports what it needs.
 * Nothing secret is sent before the metadata have named the issuer, and no token or secret is ever in the report.
 * @param deps.fetch a guarded client, which follows no redirects
 */
export async function examineProvider(
  target: ProviderTarget,
  { fetch, clock }: { readonly fetch: typeof globalThis.fetch; readonly clock: () => Date },
): Promise<ProviderReport> {
  const facts: ProviderFacts = {
    isIssuerEqual: false,
    kind: target.kind ?? 'generic',
    results: new Map(),
    skews: [],
  };
  const text = createPeerText();
  const { credentials } = target;
  if (credentials && 'clientSecret' in credentials) text.hide(credentials.clientSecret);
  const results: CheckResult[] = [];
  const examinationWith = (signal: AbortSignal) => ({
    target,
    facts,
    text,
    clock,
    probe: createProbe({ fetch, clock, signal, onSkew: (skew) => facts.skews.push(skew) }),
  });
  for (const { check, run } of LEGS) {
    const finding = await run(examinationWith(AbortSignal.timeout(MAX_MS)));
    facts.results.set(check, finding.status);
    results.push({ check, ...finding });
  }
  const settings = settingsOf(examinationWith(AbortSignal.abort()));
  return { report: toReport(results), kind: facts.kind, settings };
}
