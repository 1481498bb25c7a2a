import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { createSigningKeys, epochSeconds } from '@legate/jwt';
import { createTokens } from './testing/example.ts';

const IDP = 'https://idp.example';
const TOOLS = 'https://tools.example';
const clock = () => new Date();

/** An identity provider and a tool server that are reached by `fetch`. */
async function createPeers() {
  const keys = await createSigningKeys({ alg: 'ES256', clock });
  const requests: string[] = [];
  const idJag = (form: URLSearchParams) => {
    const now = epochSeconds(clock());
    return keys.sign(
      {
        ...{ iss: IDP, sub: form.get('subject_token') ?? '', organization_id: 'acme' },
        ...{ aud: form.get('audience') ?? '', resource: TOOLS, client_id: 'hub-at-tools' },
        ...{ jti: 'one', iat: now, exp: now + 300, scope: 'read' },
      },
      { typ: 'oauth-id-jag+jwt' },
    );
  };
  const answers: Record<string, (form: URLSearchParams) => object | Promise<object>> = {
    [`${IDP}/.well-known/openid-configuration`]: () => ({
      ...{ issuer: IDP, token_endpoint: `${IDP}/token`, response_types_supported: ['code'] },
    }),
    [`${IDP}/token`]: async (form) => ({
      access_token: await idJag(form),
      issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      ...{ token_type: 'N_A', expires_in: 300, scope: 'read' },
    }),
    [`${TOOLS}/.well-known/oauth-protected-resource`]: () => ({
      ...{ resource: TOOLS, authorization_servers: [TOOLS] },
    }),
    [`${TOOLS}/.well-known/oauth-authorization-server`]: () => ({
      ...{ issuer: TOOLS, token_endpoint: `${TOOLS}/token` },
      grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
    }),
    [`${TOOLS}/token`]: () => ({
      ...{ access_token: 'token-of-alice', token_type: 'Bearer', expires_in: 3600, scope: 'read' },
    }),
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests.push(String(input));
    const answer = answers[String(input)];
    if (!answer) return new Response(null, { status: 404 });
    return Response.json(await answer(new URLSearchParams(String(init?.body))));
  };
  return { fetch, requests };
}

it('contains the example that this test runs', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('testing/example.ts')}\`\`\``);
});

it('exchanges an ID token for an access token, and sends no request for the next call', async () => {
  const { fetch, requests } = await createPeers();
  const obtain = createTokens(fetch);
  expect(await obtain('alice', 'alice')).toMatchObject({
    outcome: 'granted',
    credential: { kind: 'access_token', accessToken: 'token-of-alice', scopes: ['read'] },
    fromCache: false,
  });
  const count = requests.length;
  expect(await obtain('alice', 'alice')).toMatchObject({ outcome: 'granted', fromCache: true });
  expect(requests).toHaveLength(count);
});
