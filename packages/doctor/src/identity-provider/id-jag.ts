import { findKind, type SubjectTokenType } from '@legate/identity-providers';
import {
  createLocalKeys,
  createTokenVerifier,
  epochSeconds,
  idJag as idJagProfile,
  readJwt,
  TokenRefused,
} from '@legate/jwt';
import { GRANT_TYPE, TOKEN_TYPE } from '@legate/oauth';
import { type Evidence, type Finding, fail, ok, skipped, warn } from '../reports/report.ts';
import type { Claims, Leg, ProviderExamination, SignInTokens } from './examination.ts';
import { type Asked, judgeIdJag } from './id-jag-answer.ts';
import { missingForRequests, refused, requestTokens } from './token-request.ts';

export const idJag: Leg = {
  check: 'id_jag',
  async run(examination) {
    const { target, facts } = examination;
    const { title, idJagSubject, sendsResource } = findKind(facts.kind);
    if (idJagSubject === undefined) return skipped(`${title} issues no ID-JAGs, by its documents.`);
    const missing = missingForRequests(examination);
    if (missing !== undefined) return skipped(missing);
    const { audience, resource, scopes = [] } = target;
    if (audience === undefined)
      return skipped('Needs --audience: the issuer of the authorization server of a tool server.');
    const subject = subjectOf(facts.tokens ?? {}, idJagSubject);
    if (subject === undefined)
      return skipped(
        `Needs the ${nameOf(idJagSubject)} of a sign-in, which this kind of provider exchanges.`,
      );
    const answer = await requestTokens(examination, {
      grant_type: GRANT_TYPE.tokenExchange,
      requested_token_type: TOKEN_TYPE.idJag,
      subject_token: subject,
      subject_token_type: TYPES[idJagSubject],
      audience,
      resource: sendsResource ? resource : undefined,
      scope: scopes.length > 0 ? scopes.join(' ') : undefined,
    });
    if (answer.kind === 'unusable') return answer.finding;
    if (answer.kind === 'refused')
      return refused(examination, 'id_jag', 'The provider issues no ID-JAG', answer.refusal, {
        subject: nameOf(idJagSubject),
      });
    return judge(examination, audience, answer.body);
  },
};

const TYPES: Readonly<Record<SubjectTokenType, string>> = {
  id_token: TOKEN_TYPE.idToken,
  access_token: TOKEN_TYPE.accessToken,
  refresh_token: TOKEN_TYPE.refreshToken,
};
const subjectOf = (tokens: SignInTokens, type: SubjectTokenType): string | undefined =>
  ({ id_token: tokens.idToken, access_token: tokens.accessToken, refresh_token: tokens.refreshToken })[type];
const nameOf = (type: SubjectTokenType): string => type.replace('id_token', 'ID token').replace('_', ' ');

async function judge(examination: ProviderExamination, audience: string, body: Claims): Promise<Finding> {
  const { target, text, clock } = examination;
  const token = typeof body.access_token === 'string' ? body.access_token : '';
  let read: ReturnType<typeof readJwt>;
  try {
    read = readJwt(token);
  } catch {
    return fail('The response has no ID-JAG: "access_token" is not a JWT.', REMEDY, {
      members: text.list(Object.keys(body)),
    });
  }
  const { header, claims } = read;
  const { faults, passed, gaps } = judgeIdJag({
    answer: body,
    typ: header.typ,
    claims,
    asked: askedOf(examination, audience),
    now: epochSeconds(clock()),
  });
  const asToolServer = await verify(examination, token, audience);
  const evidence: Evidence = {
    passed: [...passed, ...(asToolServer === undefined ? ['signature'] : [])],
    left_out: gaps,
    claims: text.list(Object.keys(claims)),
    client_id: text.showClaim(String(claims.client_id ?? 'absent')),
    ...(target.showsValues && { aud: text.showClaim(JSON.stringify(claims.aud ?? null)) }),
  };
  const wrong = faults.length > 0 ? faults : asToolServer === undefined ? [] : [asToolServer];
  if (wrong.length > 0)
    return fail(
      `The ID-JAG is not the one that was asked for: ${wrong.map(text.show).join(', ')}.`,
      REMEDY,
      evidence,
    );
  const left = gaps.length === 0 ? '' : ` It leaves out ${gaps.join(', ')}, which is tolerated.`;
  const hasResource = claims.resource !== undefined && claims.resource !== null;
  if (target.resource !== undefined && !hasResource)
    return warn(
      `The provider issues an ID-JAG.${left}`,
      'Without the claim resource, use an authorization server for each tool server, which this ID-JAG is for as a whole.',
      evidence,
    );
  return ok(`The provider issues an ID-JAG, and every check passes.${left}`, evidence);
}

const REMEDY =
  'Compare with draft-ietf-oauth-identity-assertion-authz-grant §3.1 and §4.3.4, and correct the resource, the client or the mapping of claims at the provider.';

function askedOf({ target, facts }: ProviderExamination, audience: string): Asked {
  const { userClaim, organizationClaim } = findKind(facts.kind);
  const { subject_types_supported: types = [] } = facts.metadata ?? {};
  const isPublic = types.length > 0 && types.every((type) => type === 'public') && userClaim === 'sub';
  const user = facts.idToken?.sub;
  const names = [
    ...new Set([
      'organization_id',
      'tenant',
      ...(organizationClaim === undefined ? [] : [organizationClaim]),
    ]),
  ];
  return {
    issuer: target.issuer,
    audience,
    resource: target.resource,
    scopes: target.scopes ?? [],
    clientId: target.clientId ?? '',
    subject: isPublic && typeof user === 'string' ? user : undefined,
    organization: Object.fromEntries(names.map((name) => [name, facts.idToken?.[name]])),
  };
}

/** @returns why a tool server would refuse the ID-JAG; undefined if it would not, or if the keys cannot be read */
async function verify(
  { target, facts, clock }: ProviderExamination,
  token: string,
  audience: string,
): Promise<string | undefined> {
  if (facts.keys === undefined) return undefined;
  const keys = createLocalKeys(facts.keys as Parameters<typeof createLocalKeys>[0]);
  const issuers = [{ issuer: target.issuer, keys }];
  try {
    await createTokenVerifier(idJagProfile, { issuers, audience, clock })(token);
    return undefined;
  } catch (err) {
    if (!(err instanceof TokenRefused)) throw err;
    return err.message;
  }
}
