import { describe, expect, it } from '@jest/globals';
import {
  claimNames,
  findPersonality,
  isPersonalityName,
  issuerFault,
  issuerOf,
  issuerPathOf,
  namesOrganization,
  PERSONALITIES,
  PERSONALITY_NAMES,
} from './index.ts';

const ORIGIN = 'https://id.example.com';
/** The claim that the services read if `ORGANIZATION_CLAIM` is not set */
const DEFAULT_ORGANIZATION_CLAIM = 'organization_id';

describe('a personality by its name', () => {
  it.each(PERSONALITY_NAMES)('finds %s', (name) => {
    expect(isPersonalityName(name)).toBe(true);
    expect(findPersonality(name)).toBe(PERSONALITIES[name]);
  });

  it.each(['', 'Okta', 'toString', '__proto__'])('finds none for "%s"', (name) => {
    expect(isPersonalityName(name)).toBe(false);
    expect(findPersonality(name)).toBeUndefined();
  });
});

describe('the path of an issuer', () => {
  it.each([
    ['https://id.example.com', ''],
    ['https://id.example.com/', '/'],
    ['https://id.example.com:8443/realms/legate', '/realms/legate'],
  ])('of %s is "%s"', (issuer, path) => {
    expect(issuerPathOf(issuer)).toBe(path);
  });
});

describe.each(PERSONALITY_NAMES)('%s', (name) => {
  const personality = PERSONALITIES[name];
  const { defaultPath } = personality.issuer;

  it('accepts its own default issuer', () => {
    expect(issuerFault(personality, issuerOf(personality, ORIGIN))).toBeUndefined();
  });

  it('reports the form that an issuer must have', () => {
    expect(issuerFault(personality, `${ORIGIN}/some/other?path`)).toBe(
      `${personality.title}'s issuers have ${personality.issuer.form}, such as ${ORIGIN}${defaultPath}`,
    );
  });

  it('distinguishes an issuer with a trailing slash from one without', () => {
    const issuer = issuerOf(personality, ORIGIN);
    const other = issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`;
    expect(issuerFault(personality, other)).toBeDefined();
  });

  it('has an absolute path for each endpoint and document', () => {
    const paths = [
      ...Object.values(personality.endpoints(defaultPath)),
      ...personality.furtherMetadata(defaultPath),
    ].filter((path) => path !== undefined);
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of paths) expect(new URL(path, ORIGIN).href).toBe(`${ORIGIN}${path}`);
  });

  it('configures the services to read the organization from its own claim', () => {
    const { hub, managementApi } = personality.settings;
    for (const claim of [hub.ORGANIZATION_CLAIM, managementApi.ORGANIZATION_CLAIM])
      expect(claim ?? DEFAULT_ORGANIZATION_CLAIM).toBe(personality.organizationClaim);
  });

  it('leaves out the organization of a user who has none', () => {
    const claims = personality.idToken({
      userId: 'user',
      email: 'user@example.com',
      emailVerified: true,
      name: 'User',
      organizationId: undefined,
      role: undefined,
      clientId: 'client',
      tokenId: 'token',
    });
    expect(Object.keys(claims)).not.toContain(personality.organizationClaim);
    expect(Object.values(claims)).not.toContain(undefined);
  });

  it('defines error responses with a 4xx status and a code', () => {
    const answers = [...Object.values(personality.errors), personality.refusal].filter(
      (answer) => answer !== undefined,
    );
    for (const { status, body } of answers) {
      expect(Math.floor(status / 100)).toBe(4);
      expect(body.error).toEqual(expect.stringMatching(/^[a-z_]+$/));
    }
  });
});

describe('the claim that names the organization', () => {
  it('is in the ID tokens of all personalities except WorkOS', () => {
    expect(PERSONALITY_NAMES.filter((name) => !namesOrganization(PERSONALITIES[name]))).toEqual(['workos']);
  });

  it('must be the configured one', () => {
    expect(claimNames(PERSONALITIES.entra)).toContain('tid');
    expect(namesOrganization({ ...PERSONALITIES.entra, organizationClaim: 'org' })).toBe(false);
  });
});
