// A tool server as an identity provider and a hub see it: metadata, refusals, a token for an ID-JAG, a call as the user.
import assert from 'node:assert/strict';
import { createSigningKeys } from '@legate/jwt';
import { createToolServer } from '@legate/tool-server';

const RESOURCE = 'https://tools.example';
const ISSUER = 'https://idp.example';
const CLIENT = { client_id: 'tool-hub', client_secret: 'a-secret-of-the-hub-for-a-test-only' };

/** @param start serves `/notes`, which names the caller, and gives an address and a way to stop */
export async function exercise(title, start) {
  const idp = await createSigningKeys({ alg: 'ES256', clock: () => new Date() });
  const toolServer = await createToolServer({
    resource: RESOURCE,
    trustedIssuers: [ISSUER],
    clients: [{ clientId: CLIENT.client_id, secret: CLIENT.client_secret }],
    scopes: ['notes:read'],
    fetch: async (url) =>
      String(url).endsWith('/jwks')
        ? Response.json(idp.publicJwks())
        : Response.json({ issuer: ISSUER, jwks_uri: `${ISSUER}/jwks` }),
    log: {
      info() {},
      warn() {},
      error: (fields, message) => process.stderr.write(`${message} ${fields.err}\n`),
    },
  });
  const { url, stop } = await start(toolServer);
  try {
    const metadata = await fetch(`${url}/.well-known/oauth-protected-resource`);
    assert.equal((await metadata.json()).resource, RESOURCE);

    const refused = await fetch(`${url}/notes`);
    assert.equal(refused.status, 401);
    assert.match(refused.headers.get('www-authenticate'), /resource_metadata=/);

    const assertion = await idJag(idp);
    const token = await redeem(url, assertion);
    assert.equal(token.status, 200);
    const { access_token } = await token.json();
    const replayed = await redeem(url, assertion);
    assert.deepEqual([replayed.status, (await replayed.json()).error], [400, 'invalid_grant']);

    const call = await fetch(`${url}/notes`, { headers: { Authorization: `Bearer ${access_token}` } });
    assert.deepEqual([call.status, await call.json()], [200, { notesOf: 'alice' }]);
    process.stdout.write(`${title}: metadata, 401, token, replay refused, called as alice\n`);
  } finally {
    await stop();
  }
}

function idJag(idp) {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: ISSUER,
    aud: RESOURCE,
    sub: 'alice',
    client_id: CLIENT.client_id,
    scope: 'notes:read',
  };
  return idp.sign({ ...claims, jti: 'one', iat: now, exp: now + 300 }, { typ: 'oauth-id-jag+jwt' });
}

const redeem = (url, assertion) =>
  fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
      ...CLIENT,
    }),
  });

/** Listens on a free port. */
export async function listen(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
