import { findKind } from '@legate/identity-providers';
import { GRANT_TYPE, TOKEN_TYPE } from '@legate/oauth';
import { type Evidence, type Finding, fail, ok, skipped, warn } from '../reports/report.ts';
import type { Claims, Leg, ProviderExamination } from './examination.ts';
import { claimsOf } from './sign-in.ts';
import { missingForRequests, refused, requestTokens } from './token-request.ts';

/** Exchanges the user's access token for one of another audience at the same provider. */
export const tokenExchange: Leg = {
  check: 'token_exchange',
  async run(examination) {
    const { target, facts } = examination;
    const { title, exchange, idJagSubject } = findKind(facts.kind);
    if (exchange === undefined) return skipped(`${title} exchanges no access tokens, by its documents.`);
    const missing = missingForRequests(examination);
    if (missing !== undefined) return skipped(missing);
    const { audience, scopes = [] } = target;
    if (audience === undefined)
      return skipped('Needs --audience: the API at the provider that the token should be for.');
    const subject = facts.tokens?.accessToken;
    if (subject === undefined) return skipped('Needs the access token of a sign-in.');
    const answer = await requestTokens(examination, FORMS[exchange](subject, audience, scopes));
    if (answer.kind === 'unusable') return answer.finding;
    if (answer.kind === 'granted') return judge(examination, exchange, audience, answer.body);
    const finding = refused(
      examination,
      'token_exchange',
      'The provider exchanges no token',
      answer.refusal,
      {
        flavour: exchange,
      },
    );
    // Where the provider issues ID-JAGs, nothing depends on it.
    return idJagSubject === undefined ? finding : { ...finding, status: 'warn' };
  },
};

const FORMS = {
  'token-exchange': (subject: string, audience: string, scopes: readonly string[]) => ({
    grant_type: GRANT_TYPE.tokenExchange,
    subject_token: subject,
    subject_token_type: TOKEN_TYPE.accessToken,
    requested_token_type: TOKEN_TYPE.accessToken,
    audience,
    scope: scopes.length > 0 ? scopes.join(' ') : undefined,
  }),
  'on-behalf-of': (subject: string, audience: string, scopes: readonly string[]) => ({
    grant_type: GRANT_TYPE.jwtBearer,
    assertion: subject,
    requested_token_use: 'on_behalf_of',
    scope: (scopes.length > 0 ? scopes : ['.default'])
      .map((scope) => (scope.startsWith(`${audience}/`) ? scope : `${audience}/${scope}`))
      .join(' '),
  }),
} as const;

function judge(
  { target, facts, text }: ProviderExamination,
  flavour: keyof typeof FORMS,
  audience: string,
  body: Claims,
): Finding {
  const token = typeof body.access_token === 'string' ? body.access_token : '';
  if (token === '' || !/^bearer$/i.test(String(body.token_type)))
    return fail(
      'The response has no bearer token.',
      'Check that the provider issues access tokens for this audience.',
      {
        flavour,
        members: text.list(Object.keys(body)),
      },
    );
  const claims = claimsOf(token);
  if (claims === undefined)
    return warn(
      'The provider exchanges the token, but nobody can see for which audience.',
      'Let the provider issue JWTs for this audience. An opaque token may be accepted by other servers as well.',
      { flavour, aud: 'opaque', audience_scoped: 'unknown' },
    );
  const audiences = [claims.aud].flat().filter((each) => typeof each === 'string');
  const isScoped = audiences.length === 1 && audiences[0] === target.resource;
  const evidence: Evidence = {
    flavour,
    aud: text.listClaims(audiences),
    audience_scoped: String(isScoped),
    claims: text.list(Object.keys(claims)),
  };
  const { userClaim, accessTokenUserClaim } = findKind(facts.kind);
  const [before, after] = [facts.idToken?.[userClaim], claims[accessTokenUserClaim] ?? claims[userClaim]];
  if (before !== undefined && before !== after)
    return fail(
      'The token is of another user.',
      `Look at the claim ${accessTokenUserClaim} of access tokens.`,
      evidence,
    );
  if (!audiences.includes(audience))
    return warn(
      'The provider exchanges the token, but "aud" is not the audience that was asked for.',
      `If that is how the provider names this audience, set "token_audience" of the connector to ${text.listClaims(audiences).join(' or ') || 'what it should be'}.`,
      evidence,
    );
  return isScoped
    ? ok('The provider exchanges the token for one that only the tool server accepts.', evidence)
    : ok('The provider exchanges the token. Other servers of this audience may accept it too.', evidence);
}
