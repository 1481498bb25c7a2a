import type { SigningKeys } from '@legate/jwt';
import { ASYMMETRIC_ALGORITHMS } from '@legate/jwt';
import {
  AuthorizationServerMetadata,
  type ClientAuthMethod,
  idJagServerMetadata,
  protectedResourceMetadata,
} from '@legate/oauth';
import cors from 'cors';
import { type RequestHandler, Router } from 'express';
import { type Endpoints, pathOf } from './endpoints.ts';

const AUTH_METHODS: readonly ClientAuthMethod[] = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
];
/** Seconds; rotation keeps old keys published for longer, and verifiers read again at an unknown `kid`. */
const CACHE_CONTROL = 'public, max-age=300';

/**
 * The public documents: protected resource metadata (RFC 9728), authorization server metadata (RFC 8414) and keys. They
 * say nothing about which issuers are trusted.
 */
export function createMetadataRoutes(deps: {
  endpoints: Endpoints;
  scopes: readonly string[];
  signingKeys: SigningKeys;
  name?: string | undefined;
}): Router {
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

  const router = Router();
  const publish = (paths: readonly string[], document: () => object) =>
    router
      .route([...new Set(paths)])
      .all(cors({ origin: '*', methods: ['GET', 'HEAD'], maxAge: 7200 }))
      .get((_req, res) => {
        res.set('Cache-Control', CACHE_CONTROL).json(document());
      })
      .all(onlyGet);

  // An identifier with a path has its document below the suffixed path (RFC 9728 §3.1); the product's specification
  // names the other one, so both serve it.
  publish(
    [pathOf(endpoints.resourceMetadata), '/.well-known/oauth-protected-resource'],
    () => resourceDocument,
  );
  publish(
    [pathOf(endpoints.serverMetadata), '/.well-known/oauth-authorization-server'],
    () => serverDocument,
  );
  publish([pathOf(endpoints.jwks), '/.well-known/jwks.json'], () => signingKeys.publicJwks());
  return router;
}

const onlyGet: RequestHandler = (_req, res) => {
  res.status(405).set('Allow', 'GET, HEAD').json({ error: 'invalid_request' });
};
