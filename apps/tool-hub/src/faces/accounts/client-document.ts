import { ConnectorId } from '@legate/ids';
import { methodNotAllowed } from '@legate/service';
import { Router } from 'express';
import { clientDocumentUrl, redirectUriOf } from '../../domain/client-urls.ts';

/** Cache time. The document changes with `PUBLIC_URL`, which makes the hub another client, and with releases. */
const MAX_AGE_SECONDS = 3600;

/**
 * Serves Client ID Metadata Documents below `/oauth`. Every possible connector id has one, containing only what follows
 * from the id, so that a document does not reveal whether the connector exists.
 * @see draft-ietf-oauth-client-id-metadata-document §4; RFC 7591 §2
 */
export function clientDocumentRoutes({ publicUrl }: { publicUrl: string }): Router {
  const router = Router();
  router
    .route('/clients/:connectorId.json')
    .get((req, res, next) => {
      const parsed = ConnectorId.safeParse(req.params.connectorId);
      if (!parsed.success) return next('router');
      res.set('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`).json({
        client_id: clientDocumentUrl(publicUrl, parsed.data),
        client_name: 'Legate tool hub',
        redirect_uris: [redirectUriOf(publicUrl, parsed.data)],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      });
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  return router;
}
