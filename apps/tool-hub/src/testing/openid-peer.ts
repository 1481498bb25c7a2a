import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type ClientMetadata, createAdapterFactory, Provider } from '@legate/authorization-server';
import { GRANT_TYPE } from '@legate/oauth';
import { createMemoryBackend } from '@legate/secure-store';
import type { TestCa } from '@legate/service/testing';
import { createPrivateJwk } from '@legate/testing';
import { z } from 'zod';

/** A token request or a revocation, and the answer */
export interface PeerRequest {
  readonly path: string;
  readonly isOverTls: boolean;
  readonly form: URLSearchParams;
  /** Subject of the client certificate */
  readonly certificate: string | undefined;
  readonly status: number;
  readonly error: string | undefined;
}

const SIGNING_KEY = { ...createPrivateJwk({ modulusLength: 2048 }), kid: 'provider', alg: 'RS256' };

/** oidc-provider, as the identity provider at which the hub is a client */
export interface OpenidPeer {
  readonly issuer: string;
  readonly requests: PeerRequest[];
  /** Answers the token exchange. The client has been authenticated. */
  exchange: (form: URLSearchParams) => Promise<{ status: number; body: unknown }>;
  stop(): Promise<void>;
}

/**
 * Starts oidc-provider. It has the token exchange, client credentials and revocation.
 * @param options.client the hub's registration
 * @param options.ca signs the server's certificate, and those that `tls_client_auth` accepts. Default: the provider has
 *   no endpoints for mutual TLS
 * @param options.clockTolerance seconds by which the clocks may differ
 */
export async function startOpenidPeer(options: {
  client: ClientMetadata;
  ca?: TestCa | undefined;
  clockTolerance?: number;
}): Promise<OpenidPeer> {
  const { client, ca, clockTolerance = 0 } = options;
  let answer: RequestListener = (_req, res) => void res.end();
  const plain = await listening(createServer((req, res) => answer(req, res)));
  const identity = await ca?.issue('127.0.0.1');
  const tls =
    ca && identity
      ? await listening(
          createTlsServer(
            {
              cert: identity.certificate,
              key: identity.privateKey,
              ca: ca.certificate,
              requestCert: true,
              // A self-signed certificate is compared with the registered one instead.
              rejectUnauthorized: false,
            },
            (req, res) => answer(req, res),
          ),
        )
      : undefined;
  const provider = createProvider(plain.url, {
    clockTolerance,
    client,
    aliases: tls && {
      token_endpoint: `${tls.url}/token`,
      revocation_endpoint: `${tls.url}/token/revocation`,
    },
  });
  const parameters = ['subject_token', 'subject_token_type', 'requested_token_type', 'audience', 'resource'];
  provider.registerGrantType(
    GRANT_TYPE.tokenExchange,
    async (ctx) => {
      const { status, body } = await peer.exchange(formOf(ctx.oidc));
      Object.assign(ctx, { status, body });
    },
    [...parameters, 'scope'],
  );
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.method !== 'POST') return;
    const { error } =
      typeof ctx.body === 'object' && ctx.body !== null && 'error' in ctx.body ? ctx.body : {};
    peer.requests.push({
      path: ctx.path,
      isOverTls: ctx.socket instanceof TLSSocket,
      form: formOf(ctx.oidc),
      certificate: certificateOf(ctx.req)?.subject,
      status: ctx.status,
      error: typeof error === 'string' ? error : undefined,
    });
  });
  answer = provider.callback();
  const peer: OpenidPeer = {
    issuer: plain.url,
    requests: [],
    exchange: async () => ({ status: 400, body: { error: 'invalid_target' } }),
    async stop() {
      await Promise.all([plain.stop(), tls?.stop()]);
    },
  };
  return peer;
}

function createProvider(
  issuer: string,
  options: {
    client: ClientMetadata;
    aliases: Readonly<Record<string, string>> | undefined;
    clockTolerance: number;
  },
): InstanceType<typeof Provider> {
  const clock = () => new Date();
  return new Provider(issuer, {
    adapter: createAdapterFactory({
      backend: createMemoryBackend({ clock }),
      prefix: '',
      clock,
      findClient: async () => undefined,
    }),
    clients: [{ redirect_uris: [], response_types: [], ...options.client }],
    clockTolerance: options.clockTolerance,
    ttl: { ClientCredentials: 60 },
    jwks: { keys: [{ ...SIGNING_KEY }] },
    // Its own options refuse keys at a loopback address.
    fetch: (url) => globalThis.fetch(url),
    scopes: ['internal:connectors'],
    clientAuthMethods: ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'],
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: { enabled: true, allowedPolicy: async () => true },
      mTLS: {
        enabled: true,
        tlsClientAuth: true,
        selfSignedTlsClientAuth: true,
        getCertificate: ({ req }) => certificateOf(req),
        certificateAuthorized: ({ socket }) => socket instanceof TLSSocket && socket.authorized,
        certificateSubjectMatches: ({ req }, property, expected) =>
          property === 'tls_client_auth_subject_dn' && certificateOf(req)?.subject === expected,
      },
    },
    ...(options.aliases && { discovery: { mtls_endpoint_aliases: options.aliases } }),
  });
}

const certificateOf = ({ socket }: IncomingMessage) =>
  socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;

const Parsed = z.object({ body: z.record(z.string(), z.string()) });
const formOf = (oidc: unknown) => new URLSearchParams(Parsed.parse(oidc).body);

async function listening(server: Server | TlsServer): Promise<{ url: string; stop(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${server instanceof TlsServer ? 'https' : 'http'}://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
