import { ConnectorId } from '@legate/ids';
import { protectedResourceMetadata, wellKnownUrl } from '@legate/oauth';
import { methodNotAllowed } from '@legate/service';
import cors from 'cors';
import { Router } from 'express';

const PATH = '/.well-known/oauth-protected-resource';

/** Identifier of the door, or of one connector behind it, as a protected resource. */
export const resourceOf = (publicUrl: string, connectorId: string | undefined): string =>
  `${publicUrl}/mcp${connectorId === undefined ? '' : `/${connectorId}`}`;

export const metadataUrlOf = (publicUrl: string, connectorId: string | undefined): string =>
  wellKnownUrl(resourceOf(publicUrl, connectorId), 'oauth-protected-resource');

/**
 * Says where an agent gets what the door asks for: an ID token of the identity provider. Every connector id has its
 * document, so that nobody learns which ones exist.
 * @see RFC 9728 §3
 */
export function createMetadataRoutes(deps: { publicUrl: string; issuer: string }): Router {
  const base = new URL(deps.publicUrl).pathname.replace(/\/$/, '');
  const router = Router();
  router
    .route([`${PATH}${base}/mcp`, `${PATH}${base}/mcp/:connectorId`])
    .all(cors({ origin: '*', methods: ['GET', 'HEAD'], maxAge: 7200 }))
    .get((req, res, next) => {
      const parsed = ConnectorId.optional().safeParse(req.params.connectorId);
      if (!parsed.success) return next('router');
      const connectorId = parsed.data;
      res.set('Cache-Control', 'public, max-age=300').json(
        protectedResourceMetadata({
          resource: resourceOf(deps.publicUrl, connectorId),
          authorizationServers: [deps.issuer],
          scopes: ['openid'],
          name: 'Legate tool hub',
        }),
      );
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  return router;
}
