import { ASYMMETRIC_ALGORITHMS, type SigningKeys } from '@legate/jwt';
import {
  AuthorizationServerMetadata,
  type ClientAuthMethod,
  idJagServerMetadata,
  protectedResourceMetadata,
} from '@legate/oauth';
import { jsonAnswer, type PlainAnswer, type PlainRequest, type RequestHeaders } from '../http/plain.ts';
import { type Endpoints, pathsOf } from './endpoints.ts';

const AUTH_METHODS: readonly ClientAuthMethod[] = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
];
/** Seconds; rotation keeps old keys published for longer, and verifiers read again at an unknown `kid`. */
const CACHE_CONTROL = 'public, max-age=300';
const ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*' };

/**
 * The public documents by path: protected resource metadata (RFC 9728), authorization server metadata (RFC 8414) and
 * keys. They do not contain the trusted issuers.
 */
export function createDocuments(deps: {
  endpoints: Endpoints;
  scopes: readonly string[];
  signingKeys: SigningKeys;
  name?: string | undefined;
}): ReadonlyMap<string, (request: PlainRequest) => PlainAnswer> {
  const { endpoints, scopes, signingKeys, name } = deps;
  const resourceDocument = protectedResourceMetadata({
    resource: endpoints.resource,
    authorizationServers: [endpoints.resource],
    scopes,
    ...(name !== undefined && { name }),
  });
  const serverDocument = AuthorizationServerMetadata.parse(
    idJagServerMetadata({
      issuer: endpoints.resource,
      tokenEndpoint: endpoints.token,
      authorizationEndpoint: endpoints.authorization,
      jwksUri: endpoints.jwks,
      scopes,
      authMethods: AUTH_METHODS,
      authSigningAlgorithms: ASYMMETRIC_ALGORITHMS,
    }),
  );
  const paths = pathsOf(endpoints);
  const publish = (at: readonly string[], document: () => object) =>
    at.map((path) => [path, (request: PlainRequest) => answer(request, document)] as const);
  return new Map([
    ...publish(paths.resourceMetadata, () => resourceDocument),
    ...publish(paths.serverMetadata, () => serverDocument),
    ...publish(paths.jwks, () => signingKeys.publicJwks()),
  ]);
}

function answer(request: PlainRequest, document: () => object): PlainAnswer {
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return jsonAnswer(200, document(), { 'Cache-Control': CACHE_CONTROL, ...ANY_ORIGIN });
    case 'OPTIONS':
      return preflight(request);
    default:
      return jsonAnswer(405, { error: 'invalid_request' }, { Allow: 'GET, HEAD', ...ANY_ORIGIN });
  }
}

/** Public documents, requested without credentials: a page may send whatever headers it likes. */
function preflight(request: RequestHeaders): PlainAnswer {
  const asked = request.headers.get('access-control-request-headers');
  return {
    status: 204,
    body: null,
    headers: {
      ...ANY_ORIGIN,
      'Access-Control-Allow-Methods': 'GET,HEAD',
      'Access-Control-Max-Age': '7200',
      ...(asked !== null && { 'Access-Control-Allow-Headers': asked }),
      Vary: 'Access-Control-Request-Headers',
    },
  };
}
