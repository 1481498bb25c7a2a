import { describe, expect, it } from '@jest/globals';
import { KINDS } from '@legate/identity-providers';
import { issuerFault, issuerOf } from './issuer.ts';
import { OWN } from './own.ts';
import { PERSONALITIES, PERSONALITY_NAMES } from './personalities.ts';
import { isAnswer, issuerPathOf, type Personality, type SignedIn } from './personality.ts';
import { claimNames, idTokenClaims, shapeAccessToken } from './tokens.ts';

const ORIGIN = 'https://id.example.com';
const NOBODYS: SignedIn = {
  issuer: ORIGIN,
  userId: 'user',
  email: 'user@example.com',
  emailVerified: true,
  name: 'User',
  organizationId: undefined,
  role: undefined,
  clientId: 'client',
  tokenId: 'token',
};

describe('the path of an issuer', () => {
  it.each([
    ['https://id.example.com', ''],
    ['https://id.example.com/', '/'],
    ['https://id.example.com:8443/realms/acme', '/realms/acme'],
  ])('of %s is "%s"', (issuer, path) => {
    expect(issuerPathOf(issuer)).toBe(path);
  });
});

describe.each(PERSONALITY_NAMES)('%s', (name) => {
  const personality: Personality = PERSONALITIES[name];
  const issuer = issuerOf(personality, ORIGIN);
  const path = issuerPathOf(issuer);

  it('states its sources, and when they were read', () => {
    expect(personality.sources.length).toBeGreaterThan(0);
    for (const { url, read } of personality.sources) {
      expect(new URL(url).protocol).toBe('https:');
      expect(read).toMatch(/^2026-\d\d-\d\d$/);
    }
  });

  it('accepts its own default issuer, and reports the form that another must have', () => {
    expect(issuerFault(personality, issuer)).toBeUndefined();
    expect(issuerFault(personality, `${ORIGIN}/some/other?path`)).toBe(
      `${personality.kind.title}'s issuers have ${personality.issuer.form}, such as ${issuer}`,
    );
  });

  it('distinguishes an issuer with a trailing slash from one without', () => {
    const other = issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`;
    expect(issuerFault(personality, other)).toBeDefined();
  });

  it('has an absolute path for each endpoint and document', () => {
    const paths = [
      ...Object.values(personality.endpoints(path)),
      ...personality.furtherMetadata(path),
    ].filter((each) => each !== undefined);
    expect(new Set(paths).size).toBe(paths.length);
    for (const each of paths) expect(new URL(each, ORIGIN).href).toBe(`${ORIGIN}${each}`);
  });

  it('leaves out the organization of a user who has none', () => {
    const claims = idTokenClaims(personality, { ...NOBODYS, issuer });
    const { organizationClaim } = personality.kind;
    expect(organizationClaim && claims[organizationClaim]).toBe(personality.tenantOf?.(issuer));
    expect(Object.values(claims)).not.toContain(undefined);
  });

  it('defines error responses with a 4xx status and a code', () => {
    const idJags = personality.idJags(path);
    const answers = [
      ...Object.values(personality.errors),
      ...(personality.exchangeOff ? [personality.exchangeOff] : []),
      ...(isAnswer(idJags) ? [idJags] : []),
    ];
    for (const { status, body } of answers) {
      expect(Math.floor(status / 100)).toBe(4);
      expect(body.error).toEqual(expect.stringMatching(/^[a-z_]+$/));
    }
  });

  it('issues ID-JAGs only if its kind does, for the subject of its kind', () => {
    const idJags = personality.idJags(path);
    const { idJagSubject } = personality.kind;
    expect(isAnswer(idJags)).toBe(idJagSubject === undefined);
    if (!isAnswer(idJags)) expect(idJags.subjects).toContain(idJagSubject);
  });

  it('accepts an assertion as its kind sends it', () => {
    const { assertions, kind } = personality;
    expect(assertions.audiences.includes(kind.assertionAudience)).toBe(kind.assertionAlgorithms.length > 0);
  });
});

it('names the organization in the ID tokens of those whose documents say so', () => {
  const without = PERSONALITY_NAMES.filter((name) => {
    const { kind } = PERSONALITIES[name];
    return (
      kind.organizationClaim === undefined ||
      !claimNames(PERSONALITIES[name]).includes(kind.organizationClaim)
    );
  });
  expect(without).toEqual(['okta', 'workos']);
});

it('takes typ and the claims of the user and the organization from the kind', () => {
  const kind = { ...KINDS.entra, accessTokenTypes: ['absent'] as const, organizationClaim: 'tenant' };
  const claims = { iss: ORIGIN, sub: 'user_1', client_id: 'app', scope: 'a', organization_id: 'org_1' };
  const { typ, claims: shaped } = shapeAccessToken({ ...OWN, kind }, { claims, userId: 'user_1' });
  expect([typ, shaped]).toEqual([undefined, expect.objectContaining({ oid: 'user_1', tenant: 'org_1' })]);
  expect(shaped).not.toHaveProperty('organization_id');
});
