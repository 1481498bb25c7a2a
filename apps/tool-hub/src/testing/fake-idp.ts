import { createSigningKeys, epochSeconds, type SigningKeys } from '@legate/jwt';
import { START } from './clock.ts';
import { type Handler, sendJson, startServer } from './http-server.ts';

/** What the provider does otherwise than it should; empty: it behaves. */
export interface IdpMisbehaviour {
  /** Answers the token endpoint in the place of everything else. */
  token?: Handler;
  /** Changes the response of the token exchange. */
  response?: Record<string, unknown>;
  /** Changes the claims of the ID-JAG; undefined removes one. */
  claims?: Record<string, unknown>;
  typ?: string;
  /** Changes the discovery document. */
  metadata?: Record<string, unknown>;
}

export interface FakeIdp {
  readonly issuer: string;
  misbehaviour: IdpMisbehaviour;
  /** The forms of all token exchanges so far. */
  readonly exchanges: URLSearchParams[];
  /** Every token that was made here. */
  readonly issued: string[];
  /** Scopes that policy grants; undefined: what was asked for. */
  policy: readonly string[] | undefined;
  mintIdToken(claims: Record<string, unknown>, header?: { typ: string }): Promise<string>;
  stop(): Promise<void>;
}

/** Made once for all scenes of a test file: an RSA key takes a while. */
let signingKeys: Promise<SigningKeys> | undefined;

/** An identity provider that issues real ID tokens and ID-JAGs, and can be told to issue wrong ones. */
export async function startFakeIdp(options: { clock: () => Date }): Promise<FakeIdp> {
  const now = () => epochSeconds(options.clock());
  signingKeys ??= createSigningKeys({ alg: 'RS256', clock: () => START });
  const keys = await signingKeys;
  let jti = 0;

  const server = await startServer(async (req, res, body) => {
    if (req.url === '/.well-known/openid-configuration') {
      return sendJson(res, 200, {
        issuer: idp.issuer,
        authorization_endpoint: `${idp.issuer}/oauth/authorize`,
        token_endpoint: `${idp.issuer}/oauth/token`,
        jwks_uri: `${idp.issuer}/jwks`,
        response_types_supported: ['code'],
        ...idp.misbehaviour.metadata,
      });
    }
    if (req.url === '/jwks') return sendJson(res, 200, keys.publicJwks());
    if (req.url !== '/oauth/token') return sendJson(res, 404, {});
    const form = new URLSearchParams(body);
    idp.exchanges.push(form);
    if (idp.misbehaviour.token) return void (await idp.misbehaviour.token(req, res, body));

    const asked = (form.get('scope') ?? '').split(' ');
    const scope = (idp.policy ? asked.filter((each) => idp.policy?.includes(each)) : asked).join(' ');
    const subject = JSON.parse(
      Buffer.from(form.get('subject_token')?.split('.')[1] ?? '', 'base64url').toString(),
    );
    jti += 1;
    const idJag = await keys.sign(
      {
        iss: idp.issuer,
        sub: subject.sub,
        aud: form.get('audience') ?? '',
        client_id: 'hub-at-server',
        resource: form.get('resource') ?? '',
        scope,
        jti: `jag_${jti}`,
        iat: now(),
        exp: now() + 300,
        organization_id: subject.organization_id,
        ...idp.misbehaviour.claims,
      },
      { typ: idp.misbehaviour.typ ?? 'oauth-id-jag+jwt' },
    );
    idp.issued.push(idJag);
    sendJson(res, 200, {
      access_token: idJag,
      issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      token_type: 'N_A',
      expires_in: 300,
      scope,
      ...idp.misbehaviour.response,
    });
  });

  const idp: FakeIdp = {
    issuer: server.url,
    misbehaviour: {},
    exchanges: [],
    issued: [],
    policy: undefined,
    async mintIdToken(claims, header = { typ: 'JWT' }) {
      const token = await keys.sign(
        { iss: server.url, aud: 'frontend-app', iat: now(), exp: now() + 3600, ...claims },
        header,
      );
      idp.issued.push(token);
      return token;
    },
    stop: server.stop,
  };
  return idp;
}
