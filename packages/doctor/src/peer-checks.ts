import type { Check } from './examination.ts';
import { fail, ok, shown, skipped, warn } from './reports/report.ts';
import { NOT_PUBLISHED } from './resource-checks.ts';

/** Seconds. Tokens are granted 60 of them (product spec §5). */
const WARN_SKEW = 30;
const FAIL_SKEW = 60;

export const clockSkew: Check = {
  check: 'clock',
  run({ facts }) {
    const [first, ...others] = facts.skews;
    if (!first) return skipped('No response has a Date header.');
    const worst = others.reduce((a, b) => (Math.abs(b.seconds) > Math.abs(a.seconds) ? b : a), first);
    const seconds = Math.abs(worst.seconds);
    const evidence = { origin: shown(worst.origin), seconds: worst.seconds };
    const detail = `The clock of ${shown(worst.origin)} is ${seconds} s ${worst.seconds < 0 ? 'behind' : 'ahead'}.`;
    const remedy =
      'Synchronize both clocks (NTP). Tokens are refused if the clocks differ by more than 60 s.';
    if (seconds > FAIL_SKEW) return fail(detail, remedy, evidence);
    return seconds > WARN_SKEW ? warn(detail, remedy, evidence) : ok('The clocks agree.', evidence);
  },
};

export const scopes: Check = {
  check: 'scopes',
  run({ target, facts }) {
    if (!facts.resourceMetadata) return skipped(NOT_PUBLISHED);
    const { scopes_supported: supported = [] } = facts.resourceMetadata.metadata;
    const wanted = target.scopes ?? [];
    const evidence = { scopes_supported: supported.map(shown), connector: wanted.map(shown) };
    if (supported.length === 0)
      return warn(
        'The tool server does not publish its scopes.',
        'List them in "scopes_supported". A connector without its own scopes requests these.',
        evidence,
      );
    if (wanted.length === 0)
      return ok(`The tool server lists its scopes: ${shown(supported.join(', '))}.`, evidence);
    const missing = wanted.filter((scope) => !supported.includes(scope));
    if (missing.length === 0) return ok('The tool server lists all scopes of the connector.', evidence);
    const remedy = `Remove ${missing.map(shown).join(', ')} from the connector, or add it to "scopes_supported". Scopes are case-sensitive.`;
    return missing.length === wanted.length
      ? fail('The tool server lists none of the scopes of the connector.', remedy, evidence)
      : warn(`The tool server does not list ${missing.map(shown).join(', ')}.`, remedy, evidence);
  },
};
