import { describe, expect, it } from '@jest/globals';
import type { Authentication } from '../domain/caller.ts';
import {
  chooseToken,
  type KeepingUse,
  type Kept,
  NOTHING_KEPT,
  parseKept,
  serializeKept,
  withoutRefused,
  withoutToken,
  withToken,
} from './token-record.ts';

const NOW = 1_800_000_000;
const VALIDITY = { now: NOW, epoch: 'e', registration: 'r' };
const PLAIN: Authentication = { client: 'app' };
const STRONG: Authentication = { client: 'app', acr: 'high', amr: ['pwd', 'otp'], authTime: NOW - 60 };

const METHODS: Record<'id-jag' | 'oauth-pkce', KeepingUse['method']> = {
  'id-jag': { issuesTokens: true, grantedBy: 'identity_provider' },
  'oauth-pkce': { issuesTokens: true, grantedBy: 'user' },
};

let made = 0;
/** @param change changes to the data that is stored with the token */
function keep(
  kept: Kept,
  authentication: Authentication,
  change: {
    operation?: string;
    method?: keyof typeof METHODS;
    now?: number;
    token?: string;
    signInKey?: string;
    hasMetClaims?: boolean;
  } = {},
): Kept {
  const { operation, method = 'id-jag', now = NOW, token = `token-${++made}` } = change;
  const { signInKey = 's1', hasMetClaims } = change;
  return withToken(
    kept,
    { kind: 'access_token', method, accessToken: token, expiresAt: now + 3600, scopes: [] },
    {
      ...VALIDITY,
      now,
      authentication,
      ...{ signInKey, hasMetClaims },
      operation,
      method: METHODS[method],
      id: token,
      keptUntil: now + 3300,
    },
  );
}
const chosen = (
  kept: Kept,
  authentication: Authentication,
  operation?: string,
  now = NOW,
  signInKey = 's1',
) =>
  chooseToken(parseKept(serializeKept(kept)), { authentication, signInKey, operation }, { ...VALIDITY, now })
    ?.id;

describe('a token of a strong sign-in', () => {
  const kept = keep(NOTHING_KEPT, STRONG, { token: 'strong' });

  it.each<[string, Authentication]>([
    ['the same one', STRONG],
    ['a later one', { ...STRONG, authTime: NOW }],
    ['one with a further method', { ...STRONG, amr: ['otp', 'hwk', 'pwd'] }],
  ])('is used with %s', (_case, authentication) => {
    expect(chosen(kept, authentication)).toBe('strong');
  });

  it.each<[string, Authentication]>([
    ['another application', { ...STRONG, client: 'other' }],
    ['another context', { ...STRONG, acr: 'low' }],
    ['no context', { ...STRONG, acr: undefined }],
    ['a method less', { ...STRONG, amr: ['pwd'] }],
    ['no methods', { ...STRONG, amr: undefined }],
    ['an older sign-in', { ...STRONG, authTime: NOW - 61 }],
    ['a sign-in of no known time', { ...STRONG, authTime: undefined }],
  ])('is not used with %s', (_case, authentication) => {
    expect(chosen(kept, authentication)).toBeUndefined();
  });
});

it('uses the token of a weaker sign-in for a stronger one of the same application', () => {
  expect(chosen(keep(NOTHING_KEPT, PLAIN, { token: 'weak' }), STRONG)).toBe('weak');
});

it('keeps one token for each of two alternating applications', () => {
  const other = { client: 'other' };
  const kept = keep(keep(NOTHING_KEPT, PLAIN, { token: 'a' }), other, { token: 'b' });
  expect([chosen(kept, PLAIN), chosen(kept, other)]).toEqual(['a', 'b']);
});

it('keeps only the token of the weaker of two sign-ins of an application', () => {
  const kept = keep(keep(NOTHING_KEPT, STRONG, { token: 'strong' }), PLAIN, { token: 'weak' });
  expect([kept.tokens.length, chosen(kept, STRONG), chosen(kept, PLAIN)]).toEqual([1, 'weak', 'weak']);
});

it('keeps only the token of the older of two equal sign-ins', () => {
  const older = { ...STRONG, authTime: NOW - 100 };
  const kept = keep(keep(NOTHING_KEPT, STRONG, { token: 'later' }), older, { token: 'older' });
  expect([kept.tokens.length, chosen(kept, STRONG), chosen(kept, older)]).toEqual([1, 'older', 'older']);
});

it('does not bind a token from the consent of the user to a sign-in', () => {
  const kept = keep(NOTHING_KEPT, PLAIN, { method: 'oauth-pkce', token: 'consented' });
  expect(chosen(kept, { client: 'other' })).toBe('consented');
});

it.each([
  ['id-jag', 'oauth-pkce'],
  ['oauth-pkce', 'id-jag'],
  ['oauth-pkce', 'oauth-pkce'],
] as const)('replaces a token of %s by one of %s, which serves the same sign-in', (before, after) => {
  const kept = keep(keep(NOTHING_KEPT, PLAIN, { method: before }), PLAIN, { method: after, token: 'new' });
  expect([kept.tokens.length, chosen(kept, PLAIN)]).toEqual([1, 'new']);
});

it('keeps the last twelve tokens', () => {
  let kept = NOTHING_KEPT;
  for (let index = 0; index < 20; index += 1) kept = keep(kept, { client: `app-${index}` });
  expect(kept.tokens.map((token) => token.obtained_with?.client)).toEqual(
    Array.from({ length: 12 }, (_, index) => `app-${index + 8}`),
  );
});

it('does not use an expired token, even if a slow clock still keeps it', () => {
  const kept = withToken(
    NOTHING_KEPT,
    { kind: 'access_token', method: 'id-jag', accessToken: 'short', expiresAt: NOW + 100, scopes: [] },
    {
      ...{ ...VALIDITY, authentication: PLAIN, signInKey: 's1' },
      ...{ method: METHODS['id-jag'], id: 'short', keptUntil: NOW + 3300 },
    },
  );
  expect([chosen(kept, PLAIN, undefined, NOW + 99), chosen(kept, PLAIN, undefined, NOW + 100)]).toEqual([
    'short',
    undefined,
  ]);
});

it('drops an expired token, even if the entry still exists', () => {
  const kept = keep(keep(NOTHING_KEPT, PLAIN), { client: 'other' }, { now: NOW + 3000 });
  expect([chosen(kept, PLAIN, undefined, NOW + 3299), chosen(kept, PLAIN, undefined, NOW + 3300)]).toEqual([
    expect.any(String),
    undefined,
  ]);
});

describe('a token for one operation', () => {
  const kept = keep(keep(NOTHING_KEPT, PLAIN, { token: 'ordinary' }), PLAIN, {
    operation: 'tools/call delete',
    token: 'delete',
  });

  it('is preferred for that operation, and used for nothing else', () => {
    expect([
      chosen(kept, PLAIN, 'tools/call delete'),
      chosen(kept, PLAIN, 'tools/call read'),
      chosen(kept, PLAIN),
    ]).toEqual(['delete', 'ordinary', 'ordinary']);
  });

  it('is not used for another operation if there is no ordinary token', () => {
    expect(chosen(withoutToken(kept, 'ordinary'), PLAIN, 'tools/call read')).toBeUndefined();
  });
});

describe('a refusal', () => {
  const until = { now: NOW, keptUntil: NOW + 3600 };
  const both = keep(keep(NOTHING_KEPT, STRONG, { token: 'strong' }), { client: 'other' }, { token: 'other' });

  it('drops the tokens of its application, and of no other', () => {
    const left = withoutRefused(both, PLAIN, {}, until);
    expect([chosen(left, STRONG), chosen(left, { client: 'other' })]).toEqual([undefined, 'other']);
  });

  it.each([
    ['stays where its sign-in is what was demanded', { maxAge: 300, acrValues: 'high higher' }, 'strong'],
    ['stays where its context is what was demanded', { acrValues: 'high' }, 'strong'],
    ['ends where its sign-in is too old', { maxAge: 59 }, undefined],
    ['ends where its context is another', { acrValues: 'higher' }, undefined],
  ])('that demands a sign-in: a token %s', (_case, demand, expected) => {
    expect(chosen(withoutRefused(both, PLAIN, demand, until), STRONG)).toBe(expected);
  });

  it('that demands a sign-in replaces the earlier demand of its application', () => {
    const other = withoutRefused(NOTHING_KEPT, { client: 'other' }, { maxAge: 900 }, until);
    const first = withoutRefused(other, PLAIN, { maxAge: 300 }, until);
    expect(withoutRefused(first, PLAIN, { maxAge: 60 }, until).demands).toEqual([
      { client: 'other', max_age: 900, kept_until: NOW + 3600 },
      { client: 'app', max_age: 60, kept_until: NOW + 3600 },
    ]);
  });

  it('that demands an authentication context does not lift the limit on the age of a token', () => {
    const limited = withoutRefused(NOTHING_KEPT, PLAIN, { maxAge: 300 }, until);
    const kept = keep(limited, STRONG, { token: 'strong' });
    const left = withoutRefused(kept, PLAIN, { acrValues: 'high' }, until);
    expect([chosen(left, STRONG, undefined, NOW + 240), chosen(left, STRONG, undefined, NOW + 241)]).toEqual([
      'strong',
      undefined,
    ]);
  });

  it('that demands a sign-in does not prolong the use of later tokens', () => {
    const kept = keep(withoutRefused(NOTHING_KEPT, PLAIN, { maxAge: 86_400 }, until), STRONG, {
      token: 'strong',
    });
    const [before, after] = [3299, 3300].map((seconds) => chosen(kept, STRONG, undefined, NOW + seconds));
    expect([before, after]).toEqual(['strong', undefined]);
  });

  it('that demands a fresh sign-in limits the use of later tokens', () => {
    const demanded = withoutRefused(NOTHING_KEPT, PLAIN, { maxAge: 300 }, until);
    const kept = keep(demanded, STRONG, { token: 'strong' });
    expect([chosen(kept, STRONG, undefined, NOW + 240), chosen(kept, STRONG, undefined, NOW + 241)]).toEqual([
      'strong',
      undefined,
    ]);
    expect(chosen(keep(demanded, { client: 'other' }, { token: 'other' }), { client: 'other' })).toBe(
      'other',
    );
  });
});

describe('a demand for claims', () => {
  const until = { now: NOW, keptUntil: NOW + 3600 };
  const claims = '{"access_token":{}}';
  const demanded = withoutRefused(keep(NOTHING_KEPT, STRONG), STRONG, { claims, acrValues: 'high' }, until);
  const usedBy = (kept: Kept, now = NOW) =>
    ['s1', 's2'].map((signInKey) => chosen(kept, STRONG, undefined, now, signInKey));

  it('drops the tokens of its application, whatever their sign-in says about itself', () => {
    expect(demanded.tokens).toEqual([]);
  });

  it('binds later tokens to the sign-in that obtains them', () => {
    const one = keep(demanded, STRONG, { token: 'one', signInKey: 's1' });
    expect(usedBy(one)).toEqual(['one', undefined]);
    expect(usedBy(keep(one, STRONG, { token: 'two', signInKey: 's2' }))).toEqual(['one', 'two']);
    expect(keep(one, STRONG, { signInKey: 's1' }).tokens).toHaveLength(1);
  });

  it.each([[{ maxAge: 300 }], [{ acrValues: 'high' }]])('still does so after a demand for %j', (later) => {
    const kept = keep(withoutRefused(demanded, STRONG, later, until), STRONG, { token: 'one' });
    expect(usedBy(kept)).toEqual(['one', undefined]);
  });

  it('does not lift the limit on the age of a sign-in', () => {
    const limited = withoutRefused(NOTHING_KEPT, STRONG, { maxAge: 300 }, until);
    const kept = keep(withoutRefused(limited, STRONG, { claims }, until), STRONG, { token: 'one' });
    expect([NOW + 240, NOW + 241].map((now) => usedBy(kept, now)[0])).toEqual(['one', undefined]);
  });

  it('once met by a session binds its tokens even when the demand is forgotten', () => {
    const kept = keep(NOTHING_KEPT, STRONG, { token: 'one', hasMetClaims: true });
    expect(usedBy(kept)).toEqual(['one', undefined]);
  });

  it('binds no token from the consent of the user, and none of another application', () => {
    const consented = keep(demanded, STRONG, { method: 'oauth-pkce', token: 'consented' });
    expect(usedBy(consented)).toEqual(['consented', 'consented']);
    const other = { client: 'other' };
    expect(chosen(keep(demanded, other, { token: 'other' }), other, undefined, NOW, 's2')).toBe('other');
  });
});

it('uses a token that was kept before tokens were bound to a sign-in', () => {
  const text = JSON.stringify({
    version: 1,
    tokens: [
      {
        token: { access_token: 'x', expires_at: NOW + 3600, scopes: [] },
        ...{ id: 'former', method: 'id-jag', registration: 'r', epoch: 'e', kept_until: NOW + 3300 },
        obtained_with: { client: 'app' },
      },
    ],
    demands: [{ client: 'app', max_age: 60, kept_until: NOW + 3600 }],
  });
  expect(chosen(parseKept(text), PLAIN)).toBe('former');
});

it.each([
  'not JSON',
  '{}',
  '{"version":1}',
  '{"version":2,"tokens":[]}',
  '{"tokens":[{"token":{}}]}',
  'null',
])('treats %s as an empty entry', (text) => {
  expect(parseKept(text)).toEqual(NOTHING_KEPT);
});

it('parses what it has serialized, including demands', () => {
  const demands = [{ client: 'app', max_age: 60, kept_until: 1_790_000_000 }];
  expect(parseKept(serializeKept({ tokens: [], demands }))).toEqual({ tokens: [], demands });
  expect(parseKept(serializeKept(NOTHING_KEPT))).toEqual(NOTHING_KEPT);
});
