import { methodNotAllowed } from '@legate/service';
import { Router } from 'express';
import { z } from 'zod';

/** One for each connector: an answer that arrives at another one's was meant for it (RFC 9700 §4.4.2.2). */
export const redirectUriOf = (publicUrl: string, connectorId: string): string =>
  `${publicUrl}/oauth/callback/${connectorId}`;

/**
 * Where the hub says who it is at a connector's authorization server, and its `client_id` there. One for each connector, as
 * its redirect URI is; with the extension, no id is a dot segment. docs/adr/0040
 */
export const clientDocumentUrl = (publicUrl: string, connectorId: string): string =>
  `${publicUrl}/oauth/clients/${connectorId}.json`;

const ConnectorId = z.string().regex(/^[A-Za-z0-9_.-]{1,128}$/);

/** For so long nobody need ask again: it changes with `PUBLIC_URL`, which is another client then, and with releases. */
const MAX_AGE_SECONDS = 3600;

/**
 * Client ID Metadata Documents, below `/oauth`. Every connector id has one, so that nobody learns which ones exist: it holds
 * nothing but what the id itself says.
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
