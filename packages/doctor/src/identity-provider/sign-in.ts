import { findKind } from '@legate/identity-providers';
import {
  ACCESS_TOKEN_MARKS,
  boundedIdToken,
  createLocalKeys,
  createTokenVerifier,
  type RefusalReason,
  readJwt,
  TokenRefused,
} from '@legate/jwt';
import { type Evidence, type Finding, fail, ok, skipped, warn } from '../reports/report.ts';
import {
  type Claims,
  type Leg,
  NO_METADATA,
  OTHER_ISSUER,
  type ProviderExamination,
  SignInFailed,
  type SignInTokens,
} from './examination.ts';
import { hintFor } from './hints.ts';
import { credentialsFor, isOfClient } from './token-request.ts';

export const signIn: Leg = {
  check: 'sign_in',
  async run(examination) {
    const { target, facts, text } = examination;
    if (!facts.metadata) return skipped(NO_METADATA);
    if (!facts.isIssuerEqual) return skipped(OTHER_ISSUER);
    if (target.clientId === undefined)
      return skipped('Needs --client-id, for which the ID token must be issued.');
    if (!target.tokens && !target.signIn)
      return skipped(
        'Needs the tokens of a sign-in: --sign-in, or --token-file with the response of a token endpoint.',
      );
    let tokens: SignInTokens;
    try {
      const scope = scopeOf(facts.kind, target.clientId);
      tokens = target.tokens ?? (await target.signIn?.(scope, credentialsFor(examination))) ?? {};
    } catch (err) {
      if (!(err instanceof SignInFailed)) throw err;
      const { refusal } = err;
      return fail(
        `Nobody was signed in: ${text.show(err.message)}`,
        refusal && isOfClient(refusal)
          ? hintFor(facts.kind, 'client', { ...refusal, error: 'invalid_client' })
          : REDIRECT,
      );
    }
    text.hide(tokens.idToken, tokens.accessToken, tokens.refreshToken);
    facts.tokens = tokens;
    if (tokens.idToken === undefined)
      return fail('There is no ID token.', 'Sign in with the scope "openid".', { tokens: namesOf(tokens) });
    return judge(examination, tokens.idToken);
  },
};

const REDIRECT =
  'Register http://127.0.0.1/callback, with any port, as a redirect URI of this client. Where the provider compares the port too, use --token-file.';

const scopeOf = (kind: Parameters<typeof findKind>[0], clientId: string): string => {
  const { subjectScope } = findKind(kind);
  const further = subjectScope === undefined ? [] : [subjectScope.replace('{client_id}', clientId)];
  return ['openid', 'email', 'profile', 'offline_access', ...further].join(' ');
};

const namesOf = ({ idToken, accessToken, refreshToken }: SignInTokens): string[] => [
  ...(idToken === undefined ? [] : ['ID token']),
  ...(accessToken === undefined ? [] : ['access token']),
  ...(refreshToken === undefined ? [] : ['refresh token']),
];

async function judge(examination: ProviderExamination, token: string): Promise<Finding> {
  const { target, facts, text, clock } = examination;
  if (facts.keys === undefined)
    return skipped('The ID token cannot be verified, because the keys of the provider cannot be read.');
  const audience = target.clientId ?? '';
  const { issuer } = target;
  const verify = (allowedMarks: readonly (typeof ACCESS_TOKEN_MARKS)[number][]) =>
    createTokenVerifier(boundedIdToken({ allowedMarks }), {
      issuers: [{ issuer, keys: createLocalKeys(facts.keys as Parameters<typeof createLocalKeys>[0]) }],
      audience,
      clock,
    })(token);
  let mark: (typeof ACCESS_TOKEN_MARKS)[number] | undefined;
  try {
    const { claims } = await verify([]).catch((err: unknown) => {
      mark = ACCESS_TOKEN_MARKS.find(
        (name) => err instanceof TokenRefused && err.reason === 'typ' && err.detail === name,
      );
      if (mark === undefined) throw err;
      return verify([mark]);
    });
    facts.idToken = claims;
  } catch (err) {
    if (!(err instanceof TokenRefused)) throw err;
    facts.idToken = claimsOf(token) ?? {};
    const detail = err.detail === undefined ? '' : ` (${text.show(err.detail)})`;
    return fail(`The ID token is refused: ${err.reason}${detail}.`, REMEDIES[err.reason] ?? ANY, {
      claims: text.list(Object.keys(facts.idToken)),
    });
  }
  if (mark !== undefined) facts.allowedMark = mark;
  return describe(examination, facts.idToken, mark);
}

function describe(
  { target, facts, text }: ProviderExamination,
  claims: Claims,
  mark: string | undefined,
): Finding {
  const { userClaim } = findKind(facts.kind);
  const { tokens = {}, metadata } = facts;
  const { email_verified: verified } = claims;
  const user = claims[userClaim];
  const evidence: Evidence = {
    user_claim: userClaim,
    email_verified: verified === undefined ? 'absent' : String(verified === true || verified === 'true'),
    tokens: namesOf(tokens),
    back_channel_logout: metadata?.backchannel_logout_supported ? 'listed' : 'not listed',
    sid: claims.sid === undefined ? 'absent' : 'there',
    claims: target.showsValues
      ? text.listClaims(Object.entries(claims).map(([name, value]) => `${name}=${JSON.stringify(value)}`))
      : text.list(Object.keys(claims)),
  };
  if (typeof user !== 'string' || user === '')
    return fail(
      `The ID token has no claim ${userClaim}, which names the user.`,
      'Add the claim at the provider, or choose another --kind.',
      evidence,
    );
  if (mark !== undefined)
    return warn(
      `The ID token is valid, but its claim ${mark} marks an access token.`,
      `Remove the claim from ID tokens, or set ID_TOKEN_ALLOWED_CLAIMS=${mark} at the hub.`,
      evidence,
    );
  if (tokens.refreshToken === undefined)
    return warn(
      'The ID token is valid, but there is no refresh token, so that a session ends with the ID token.',
      'Allow the scope "offline_access" or the refresh token grant for this client, if sessions should last.',
      evidence,
    );
  return ok(`The ID token is valid, and names the user in ${userClaim}.`, evidence);
}

/** The claims of a token that was not verified; undefined if it cannot be read */
export function claimsOf(token: string): Claims | undefined {
  try {
    return readJwt(token).claims;
  } catch {
    return undefined;
  }
}

const ANY = 'Compare the claims of the ID token with what the reference says about identity providers.';
const REMEDIES: Readonly<Partial<Record<RefusalReason, string>>> = {
  malformed: 'An ID token is a signed JWT. Check that --token-file has the ID token, and no other token.',
  algorithm: 'Let the provider sign ID tokens with RS256, PS256, ES256 or EdDSA.',
  typ: 'Check that it is the ID token, and not an access token.',
  issuer: 'Use the value of "iss" in the token as the issuer, to the letter.',
  key: 'Publish the key with which it is signed, with its "kid".',
  signature: 'Check that the token is complete, and that the key set is of the same provider.',
  audience: 'Sign in as the client of --client-id: "aud" must name it.',
  expired: 'Sign in again, or compare the clocks of this computer and the provider.',
  not_yet_valid: 'Compare the clocks of this computer and the provider.',
  lifetime: 'Let ID tokens live for at most a day.',
};
