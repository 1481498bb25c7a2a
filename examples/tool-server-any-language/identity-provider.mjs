import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { fill, isObject } from './values.mjs';

/** Starts an identity provider on loopback, with metadata, keys, and a function that makes ID-JAGs. */
export async function startIdentityProvider(port) {
  const trusted = await generateKeyPair('ES256');
  const unknown = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(trusted.publicKey)), kid: 'trusted', alg: 'ES256', use: 'sig' };
  let issuer = '';
  const server = createServer((request, response) => {
    const documents = {
      '/jwks.json': { keys: [jwk] },
      '/.well-known/openid-configuration': metadataOf(issuer),
      '/.well-known/oauth-authorization-server': metadataOf(issuer),
    };
    const found = documents[request.url];
    response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(found ?? {}));
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  issuer = `http://127.0.0.1:${server.address().port}`;

  /** Signs the ID-JAG that the defaults of the file and the changes of a case describe. */
  async function makeIdJag(defaults, changes, values) {
    const now = Math.floor(Date.now() / 1000);
    const merged = { ...defaults.claims, ...changes?.claims };
    const members = Object.entries(merged).filter(([, value]) => value !== null);
    const claims = Object.fromEntries(
      members.map(([name, value]) => [
        name,
        isObject(value) ? now + value.now : fill(value, { ...values, unique: randomUUID() }),
      ]),
    );
    const key = changes?.key ?? defaults.key;
    if (key === 'none') return new UnsecuredJWT(claims).encode().replace(/^[^.]+/, unsignedHeader(defaults));
    const header = { alg: 'ES256', kid: 'trusted', ...defaults.header, ...changes?.header };
    const { privateKey } = key === 'unknown' ? unknown : trusted;
    return new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
  }

  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { issuer, makeIdJag, close };
}

/** A header with the right `typ`, so that only the missing signature is wrong */
const unsignedHeader = ({ header }) =>
  Buffer.from(JSON.stringify({ alg: 'none', ...header })).toString('base64url');

const metadataOf = (issuer) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks.json`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
});
