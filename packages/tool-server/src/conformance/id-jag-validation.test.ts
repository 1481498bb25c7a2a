import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  decodeJwt,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import {
  b64,
  createScene,
  ISSUER,
  idpPublicKey,
  NOW,
  oauthError,
  RESOURCE,
  type Scene,
  SECOND,
  SECOND_ISSUER,
  signIdJag,
} from '../testing/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
});

/** Spec §7: an assertion that fails validation yields 400 invalid_grant, and nothing else. */
async function expectInvalidGrant(assertion: string): Promise<void> {
  const res = await scene.redeem(assertion);
  expect([res.status, res.body]).toEqual([400, oauthError('invalid_grant')]);
  expect(res.headers['cache-control']).toBe('no-store');
  expect(res.headers['content-type']).toMatch(/^application\/json/);
}

const expectGranted = async (assertion: string) => expect((await scene.redeem(assertion)).status).toBe(200);

it('names in the log the issuer that it received, short and printable, and those that it trusts', async () => {
  const own = await createScene();
  await own.redeem(await own.idJag({ iss: `https://other.example/\u001b[2J${'x'.repeat(300)}` }));
  expect(own.lines.join()).toMatch(
    /assertion: issuer \(received: https:\/\/other\.example\/\?\[2Jx{100,200}…; trusted: http:\/\/localhost:4002, https:\/\/idp\.second\.example\)/,
  );
});

describe('signature: valid against the JWKS of the identity provider', () => {
  const sign = (key: Parameters<SignJWT['sign']>[0], header: Record<string, unknown>) =>
    new SignJWT(scene.idJagClaims() as JWTPayload)
      .setProtectedHeader({ alg: 'RS256', kid: 'idp-1', typ: 'oauth-id-jag+jwt', ...header })
      .sign(key);

  it('refuses a foreign key under a known kid', async () => {
    await expectInvalidGrant(await sign((await generateKeyPair('RS256')).privateKey, {}));
  });

  it('refuses an unknown kid', async () => {
    await expectInvalidGrant(await scene.idJag({}, { kid: 'idp-99' }));
  });

  it.each([['../../etc/passwd'], ["' OR 1=1 --"], ['\u0000'], ['k'.repeat(4000)], ['__proto__'], ['']])(
    'refuses the hostile kid %j',
    async (kid) => {
      await expectInvalidGrant(await scene.idJag({}, { kid }));
    },
  );

  it('accepts a token without kid if the issuer has exactly one fitting key', async () => {
    await expectGranted(await scene.idJag({}, { kid: undefined }));
  });

  it.each(['jwk', 'jku', 'x5u', 'x5c'])('never uses a key from the header: %s', async (member) => {
    const own = await generateKeyPair('RS256', { extractable: true });
    const brought = { jwk: await exportJWK(own.publicKey), jku: 'https://evil.example/jwks' };
    const header = { ...brought, x5u: 'https://evil.example/cert', x5c: ['AA'] }[member];
    const asked = scene.idp.asked.length;
    await expectInvalidGrant(await sign(own.privateKey, { [member]: header }));
    await expectInvalidGrant(await sign(own.privateKey, { [member]: header, kid: 'own' }));
    expect(scene.idp.asked.slice(asked).every((url) => url.startsWith(ISSUER))).toBe(true);
  });

  it('refuses HS256 with the public key as its secret', async () => {
    for (const secret of [await exportSPKI(idpPublicKey), JSON.stringify(await exportJWK(idpPublicKey))])
      await expectInvalidGrant(await sign(new TextEncoder().encode(secret), { alg: 'HS256' }));
  });

  it('refuses alg none, with and without an empty signature', async () => {
    const claims = scene.idJagClaims();
    await expectInvalidGrant(new UnsecuredJWT(claims as JWTPayload).encode());
    for (const alg of ['none', 'None', 'NONE']) {
      const unsigned = `${b64({ alg, typ: 'oauth-id-jag+jwt', kid: 'idp-1' })}.${b64(claims)}`;
      await expectInvalidGrant(`${unsigned}.`);
      await expectInvalidGrant(`${unsigned}.AA`);
    }
  });

  it('refuses changed claims, a changed header and a truncated signature', async () => {
    const [header, payload, signature = ''] = (await scene.idJag()).split('.');
    await expectInvalidGrant(`${header}.${b64(scene.idJagClaims({ sub: 'user_bob' }))}.${signature}`);
    await expectInvalidGrant(
      `${b64({ typ: 'oauth-id-jag+jwt', alg: 'RS256', kid: 'idp-1' })}.${payload}.${signature}`,
    );
    await expectInvalidGrant(`${header}.${payload}.${signature.slice(0, -4)}`);
    await expectInvalidGrant(`${header}.${payload}.`);
    await expectInvalidGrant(`${header}.${payload}`);
  });

  it('refuses a critical header that it does not know', async () => {
    const [, payload, signature] = (await scene.idJag()).split('.');
    const header = b64({ alg: 'RS256', kid: 'idp-1', typ: 'oauth-id-jag+jwt', crit: ['x'], x: 1 });
    await expectInvalidGrant(`${header}.${payload}.${signature}`);
  });

  it('refuses what is not a compact JWS', async () => {
    const [header, payload, signature] = (await scene.idJag()).split('.');
    await expectInvalidGrant('x');
    await expectInvalidGrant('a.b.c');
    await expectInvalidGrant(`${header}.${payload}.${signature}.AA.AA`);
    await expectInvalidGrant(` ${header}.${payload}.${signature}`);
    await expectInvalidGrant(JSON.stringify({ protected: header, payload, signature }));
    await expectInvalidGrant(`${header}.${Buffer.from('"text"').toString('base64url')}.${signature}`);
    await expectInvalidGrant(`${header}.${Buffer.from('[]').toString('base64url')}.${signature}`);
    await expectInvalidGrant(`${header}.${Buffer.from('null').toString('base64url')}.${signature}`);
  });

  it('refuses a token of more than 16 KiB, even with a valid signature', async () => {
    await expectInvalidGrant(
      await scene.idJag({ groups: Array.from({ length: 2000 }, (_, i) => `group-${i}`) }),
    );
  });
});

describe('typ: must be oauth-id-jag+jwt', () => {
  it.each(['oauth-id-jag+jwt', 'application/oauth-id-jag+jwt', 'OAuth-ID-JAG+JWT'])(
    'takes %s',
    async (typ) => {
      await expectGranted(await scene.idJag({}, { typ }));
    },
  );

  it.each([
    'JWT',
    'at+jwt',
    'application/at+jwt',
    'oauth-id-jag',
    'id-jag+jwt',
    '',
    undefined,
    7,
    null,
    ['oauth-id-jag+jwt'],
  ])('refuses %j', async (typ) => {
    await expectInvalidGrant(await scene.idJag({}, { typ }));
  });

  it('refuses an ID token of the trusted issuer for the same audience', async () => {
    const { client_id: _, jti: __, ...claims } = scene.idJagClaims();
    await expectInvalidGrant(await signIdJag(claims, { typ: 'JWT' }));
    await expectInvalidGrant(await scene.idJag({}, { typ: 'JWT' }));
  });

  it('refuses our own access token, and one of the identity provider', async () => {
    await expectInvalidGrant(await scene.grant());
    await expectInvalidGrant(await scene.idJag({}, { typ: 'at+jwt' }));
  });
});

describe('iss: must equal a trusted issuer exactly', () => {
  it.each([
    ['of somebody else', 'https://evil.example'],
    ['with a slash more', `${ISSUER}/`],
    ['in other case', ISSUER.toUpperCase()],
    ['of which ours is only a prefix', `${ISSUER}.evil.example`],
    ['with a default part spelled out', 'http://LOCALHOST:4002'],
    ['in an array', [ISSUER]],
    ['that is a number', 4002],
    ['that is null', null],
    ['that is empty', ''],
    ['that is absent', undefined],
  ])('refuses one %s, without a request for keys', async (_case, iss) => {
    const asked = scene.idp.asked.length;
    await expectInvalidGrant(await scene.idJag({ iss }));
    expect(scene.idp.asked).toHaveLength(asked);
  });

  it('refuses an assertion signed with the key of another trusted issuer', async () => {
    const apart = await createScene({
      fetch: async (input) => {
        const url = String(input);
        if (url.endsWith('configuration')) {
          const issuer = url.startsWith(SECOND_ISSUER) ? SECOND_ISSUER : ISSUER;
          return Response.json({ issuer, jwks_uri: `${issuer}/jwks` });
        }
        const pair = await generateKeyPair('RS256', { extractable: true });
        const key = url.startsWith(SECOND_ISSUER) ? pair.publicKey : idpPublicKey;
        return Response.json({ keys: [{ ...(await exportJWK(key)), kid: 'idp-1', alg: 'RS256' }] });
      },
    });
    expect((await apart.redeem(await apart.idJag())).status).toBe(200);
    const res = await apart.redeem(await apart.idJag({ iss: SECOND_ISSUER }));
    expect([res.status, res.body.error]).toEqual([400, 'invalid_grant']);
  });
});

describe('aud: must equal the resource identifier', () => {
  it('accepts an array with only that identifier', async () => {
    await expectGranted(await scene.idJag({ aud: [RESOURCE] }));
  });

  it.each([
    ['another', 'https://other.example'],
    ['ours with a slash more', `${RESOURCE}/`],
    ['the token endpoint', `${RESOURCE}/oauth/token`],
    ['the MCP endpoint', `${RESOURCE}/mcp`],
    ['ours in other case', 'http://LOCALHOST:4003'],
    ['ours and another', [RESOURCE, 'https://other.example']],
    ['another and ours', ['https://other.example', RESOURCE]],
    ['ours twice', [RESOURCE, RESOURCE]],
    ['an empty array', []],
    ['an array in an array', [[RESOURCE]]],
    ['an object', { [RESOURCE]: true }],
    ['a number', 4003],
    ['null', null],
    ['empty', ''],
    ['absent', undefined],
  ])('refuses %s', async (_case, aud) => {
    await expectInvalidGrant(await scene.idJag({ aud }));
  });
});

describe('client_id: must equal the hub client that presents it', () => {
  it("refuses the hub's assertion from another registered client, which does not use it up", async () => {
    const assertion = await scene.idJag();
    const stolen = await scene.redeem(assertion, SECOND);
    expect([stolen.status, stolen.body]).toEqual([400, oauthError('invalid_grant')]);
    await expectGranted(assertion);
  });

  it.each(['second-client', 'TOOL-HUB', 'tool-hub ', 'frontend-app', '', 7, null, ['tool-hub'], undefined])(
    'refuses %j',
    async (client_id) => {
      await expectInvalidGrant(await scene.idJag({ client_id }));
    },
  );
});

describe('time: 60 seconds of skew, to the second', () => {
  const at = (claims: Record<string, unknown>) => scene.idJag({ iat: NOW - 300, ...claims });

  it.each([1, 59])('accepts an assertion that expired %i s ago', async (ago) => {
    await expectGranted(await at({ exp: NOW - ago }));
  });
  it.each([60, 61, 3600])('refuses an assertion that expired %i s ago', async (ago) => {
    await expectInvalidGrant(await at({ exp: NOW - ago, iat: NOW - ago - 300 }));
  });
  it.each([0, 59, 60])('accepts an assertion issued %i s in the future', async (ahead) => {
    await expectGranted(await at({ iat: NOW + ahead, exp: NOW + 300 }));
  });
  it.each([61, 3600])('refuses an assertion issued %i s in the future', async (ahead) => {
    await expectInvalidGrant(await at({ iat: NOW + ahead, exp: NOW + ahead + 300 }));
  });
  it.each([-1, 59, 60])('accepts an assertion that becomes valid in %i s', async (ahead) => {
    await expectGranted(await at({ nbf: NOW + ahead, exp: NOW + 300 }));
  });
  it.each([61, 200])('refuses an assertion that becomes valid in %i s', async (ahead) => {
    await expectInvalidGrant(await at({ nbf: NOW + ahead, exp: NOW + 300 }));
  });
  it('accepts a lifetime of ten minutes, and refuses one that is a second longer', async () => {
    await expectGranted(await at({ iat: NOW, exp: NOW + 600 }));
    await expectInvalidGrant(await at({ iat: NOW, exp: NOW + 601 }));
    await expectInvalidGrant(await at({ iat: 0, exp: NOW + 300 }));
  });

  it('follows the clock: accepted 359 s after issue, refused after 360 s', async () => {
    const later = await createScene();
    const [first, second] = [await later.idJag(), await later.idJag()];
    later.time.now = NOW + 300 + 59;
    expect((await later.redeem(first)).status).toBe(200);
    later.time.now = NOW + 300 + 60;
    expect((await later.redeem(second)).body.error).toBe('invalid_grant');
  });
});

describe('claims: must all be present, with the right types', () => {
  it.each(['iss', 'sub', 'aud', 'client_id', 'jti', 'iat', 'exp'])(
    'refuses one without %s',
    async (claim) => {
      await expectInvalidGrant(await scene.idJag({ [claim]: undefined }));
    },
  );

  it.each([
    ...[7, '', null, {}, ['user_alice'], true, 'x'.repeat(256)].map((value) => ['sub', value]),
    ...[7, '', null, {}, ['j'], 'x'.repeat(256)].map((value) => ['jti', value]),
    ...[`${NOW + 300}`, null, {}, [NOW + 300], true, -1].map((value) => ['exp', value]),
    ...[`${NOW}`, null, {}, true, -1].map((value) => ['iat', value]),
    ...[`${NOW}`, null, {}, true].map((value) => ['nbf', value]),
    ...[['mcp:tools:read'], 7, null, {}].map((value) => ['scope', value]),
    ...['admin', 'mcp:tools:read admin', 'mcp:tools:read\tmcp:tools:call', 'mcp"tools'].map((value) => [
      'scope',
      value,
    ]),
    ...[7, null, ['org_acme'], 'org acme', 'org:acme', ''].map((value) => ['organization_id', value]),
    ...[7, null, ''].map((value) => ['tenant', value]),
    ...[7, '', {}, ['t'], 'a\nb', 'x'.repeat(256)].flatMap((value) => [
      ['aud_sub', value],
      ['aud_tenant', value],
    ]),
    ...[
      'user_alice',
      [],
      {},
      { format: '' },
      { format: 7 },
      { format: 'iss_sub', iss: ISSUER },
      { format: 'iss_sub', iss: ISSUER, sub: '' },
      { format: 'email', email: ['a@b.example'] },
      { format: 'opaque' },
      { format: 'opaque', id: 'a\nb' },
      { format: 'opaque', id: 'x'.repeat(1025) },
      { format: 'saml-nameid', nameid: 'alice' },
      { format: 'saml-nameid', issuer: 'https://saml.example' },
      { format: 'saml-nameid', issuer: 'https://saml.example', nameid: 'alice', sp_name_qualifier: null },
    ].map((value) => ['sub_id', value]),
  ])('refuses %s as %j', async (claim, value) => {
    await expectInvalidGrant(await scene.idJag({ [String(claim)]: value }));
  });

  it.each<[claim: string, value: unknown]>([
    ...[7, null, ['a@b.example']].map((value): [string, unknown] => ['email', value]),
    ...['staff', [1], null, { staff: true }].map((value): [string, unknown] => ['groups', value]),
    ...['admin', [null]].map((value): [string, unknown] => ['roles', value]),
    ...[null, { format: 'account', uri: 'acct:a@b.example' }, { format: 'opaque', id: 'x', more: 1 }].map(
      (value): [string, unknown] => ['sub_id', value],
    ),
    ...['aud_sub', 'aud_tenant'].map((claim): [string, unknown] => [claim, null]),
  ])('accepts %s as %j, because this claim decides nothing here', async (claim, value) => {
    await expectGranted(await scene.idJag({ [claim]: value }));
  });

  it.each([[{ jkt: 'abc' }], [{}], [null], ['x']])(
    'refuses an assertion that is bound to a key (cnf %j), since no proof of it is checked here',
    async (cnf) => {
      await expectInvalidGrant(await scene.idJag({ cnf }));
    },
  );

  it('ignores claims it does not know', async () => {
    await expectGranted(await scene.idJag({ act: { sub: 'agent' }, amr: ['pwd'], anything: { deep: [1] } }));
  });
});

describe('act: who acts for the user', () => {
  const act = { iss: 'https://hub.example', sub: 'agt_support', sub_profile: 'ai_agent' };
  const nested = (depth: number): object => (depth === 1 ? act : { ...act, act: nested(depth - 1) });
  const issued = async (claims: Record<string, unknown>) => {
    const { body } = await scene.redeem(await scene.idJag(claims));
    return decodeJwt(body.access_token).act;
  };

  it.each([
    ['one actor', act],
    ['an actor without an issuer', { sub: 'client-7' }],
    ['four, one acting for the other', nested(4)],
  ])('is copied into the access token: %s', async (_case, claim) => {
    expect(await issued({ act: claim })).toEqual(claim);
  });

  it('is left out if nobody acts for the user', async () => {
    expect(await issued({})).toBeUndefined();
  });

  it.each([
    ['no object', 'agt_support'],
    ['null', null],
    ['an empty object', {}],
    ['without a subject', { iss: act.iss }],
    ['with a number', { ...act, sub: 7 }],
    ['with a further member', { ...act, admin: true }],
    ['with a text of 256 characters', { ...act, sub: 'x'.repeat(256) }],
    ['with a line break', { ...act, sub: 'a\nb' }],
    ['five deep', nested(5)],
    [
      'larger than 2 KiB',
      {
        ...nested(3),
        iss: 'x'.repeat(255),
        act: {
          iss: 'x'.repeat(255),
          sub: 'x'.repeat(255),
          sub_profile: 'x'.repeat(255),
          act: {
            iss: 'x'.repeat(255),
            sub: 'x'.repeat(255),
            sub_profile: 'x'.repeat(255),
            act: { iss: 'x'.repeat(255), sub: 'x'.repeat(255) },
          },
        },
      },
    ],
  ])('is refused if it is %s', async (_case, claim) => {
    await expectInvalidGrant(await scene.idJag({ act: claim }));
  });
});
