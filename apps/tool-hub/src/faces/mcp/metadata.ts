import { ConnectorId } from '@legate/ids';
import { protectedResourceMetadata, wellKnownUrl } from '@legate/oauth';
import { methodNotAllowed } from '@legate/service';
import cors from 'cors';
import { Router } from 'express';

const ConnectorIdIfAny = ConnectorId.optional();
const PATH = '/.well-known/oauth-protected-resource';

/** Returns the resource identifier of `/mcp`, or of one connector there. */
export const resourceOf = (publicUrl: string, connectorId: string | undefined): string =>
  `${publicUrl}/mcp${connectorId === undefined ? '' : `/${connectorId}`}`;

export const metadataUrlOf = (publicUrl: string, connectorId: string | undefined): string =>
  wellKnownUrl(resourceOf(publicUrl, connectorId), 'oauth-protected-resource');

/**
 * Serves the metadata by which agents find where to get the required token. Every connector id has a document, so that its existence reveals nothing.
 * @param deps.issuer of the authorization server: the hub itself, or the identity provider, whose ID tokens are then required
 * @see RFC 9728 §3
 */
export function createMetadataRoutes(deps: { publicUrl: string; issuer: string; scope: string }): Router {
  const base = new URL(deps.publicUrl).pathname.replace(/\/$/, '');
  const router = Router();
  router
    .route([`${PATH}${base}/mcp`, `${PATH}${base}/mcp/:connectorId`])
    .all(cors({ origin: '*', methods: ['GET', 'HEAD'], maxAge: 7200 }))
    .get((req, res, next) => {
      const parsed = ConnectorIdIfAny.safeParse(req.params.connectorId);
      if (!parsed.success) return next('router');
      const connectorId = parsed.data;
      res.set('Cache-Control', 'public, max-age=300').json(
        protectedResourceMetadata({
          resource: resourceOf(deps.publicUrl, connectorId),
          authorizationServers: [deps.issuer],
          scopes: [deps.scope],
          name: 'Legate tool hub',
        }),
      );
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  return router;
}
