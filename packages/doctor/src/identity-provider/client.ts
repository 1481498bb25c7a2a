import { assertionKeyFault } from '@legate/identity-providers';
import { GRANT_TYPE, TOKEN_TYPE } from '@legate/oauth';
import { type Evidence, type Finding, fail, ok, skipped, warn } from '../reports/report.ts';
import type { Leg, ProviderExamination } from './examination.ts';
import { isOfClient, missingForRequests, type Refusal, refused, requestTokens } from './token-request.ts';

/** A token of nobody, which a provider must refuse after it has authenticated us */
const MADE_UP = 'made-up-by-legate-doctor';

/**
 * Presents made-up tokens. Clients are authenticated before a grant is looked at (RFC 6749 §3.2.1), so `invalid_grant`
 * proves that our authentication was accepted, and `invalid_client` that it was not. The refresh token grant decides in
 * most cases: its error for a wrong token is `invalid_grant` everywhere, while RFC 8693 has `invalid_request` too.
 */
export const client: Leg = {
  check: 'client',
  async run(examination) {
    const missing = missingForRequests(examination);
    if (missing !== undefined) return skipped(missing);
    const wrongKey = keyFault(examination);
    if (wrongKey) return wrongKey;
    const said: string[] = [];
    for (const form of FORMS) {
      const answer = await requestTokens(examination, form);
      if (answer.kind === 'unusable') return answer.finding;
      if (answer.kind === 'granted')
        return fail(
          'The provider issues tokens for a made-up token.',
          'Do not use this provider: anybody can sign in.',
        );
      const finding = judge(examination, answer.refusal);
      if (finding) return finding;
      said.push(answer.refusal.said);
    }
    return warn(
      `The answers do not tell whether our authentication was accepted: ${said.join(', ')}.`,
      'Go on to the legs id_jag and token_exchange, which need it.',
      { method: methodOf(examination) },
    );
  },
};

const FORMS = [
  { grant_type: GRANT_TYPE.refreshToken, refresh_token: MADE_UP },
  {
    grant_type: GRANT_TYPE.tokenExchange,
    subject_token: MADE_UP,
    subject_token_type: TOKEN_TYPE.idToken,
    requested_token_type: TOKEN_TYPE.idJag,
  },
] as const;

const methodOf = ({ target }: ProviderExamination): string =>
  target.credentials?.method === 'private_key_jwt' ? 'private_key_jwt' : 'client secret';

/** @returns undefined if the refusal does not tell */
function judge(examination: ProviderExamination, refusal: Refusal): Finding | undefined {
  const evidence: Evidence = { method: methodOf(examination), ...clockOf(examination) };
  if (refusal.error === 'invalid_grant')
    return ok('The provider accepts our authentication: it refuses only the made-up token.', evidence);
  return isOfClient(refusal)
    ? refused(
        examination,
        'client',
        'The provider refuses our authentication',
        { ...refusal, error: 'invalid_client' },
        evidence,
      )
    : undefined;
}

function keyFault({ target: { credentials }, facts }: ProviderExamination): Finding | undefined {
  if (credentials?.method !== 'private_key_jwt') return undefined;
  const fault = assertionKeyFault(facts.kind, credentials.privateJwk);
  return fault && fail(`The key ${fault.says}.`, fault.helps);
}

/** Seconds. Assertions live for a minute, so a difference of clocks makes them invalid. */
const MAX_SKEW_SECONDS = 30;

function clockOf({ facts }: ProviderExamination): Evidence {
  const skew = facts.skews.find(({ seconds }) => Math.abs(seconds) > MAX_SKEW_SECONDS);
  return skew === undefined ? {} : { clock: `the provider is ${skew.seconds} s ahead of this computer` };
}
