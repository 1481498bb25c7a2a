import type { ClientKey } from '@legate/client-authentication';
import type { SigningKeys } from '@legate/jwt';
import type { AuthenticationFailures } from '@legate/oauth/express';
import type { Router } from 'express';
import type { Platform } from '../../platform/platform.ts';
import { JWKS_PATH, type OAuthPart } from './oauth-part.ts';
import { clientKeysRoutes, oauthRoutes } from './routes.ts';

/**
 * Opens `routes`: `/oauth/token` and the metadata, with the parts of each feature; and `keyRoutes`, the keys of the
 * hub's own client.
 */
export function openTokenEndpoint(
  { publicUrl, memory, log }: Platform,
  options: {
    /** Undefined for a feature that is switched off */
    parts: readonly (OAuthPart | undefined)[];
    /** Keys of the tokens that name the acting agent; the public keys are published */
    actorKeys: SigningKeys | undefined;
    clientKeys: readonly ClientKey[] | undefined;
    failures: AuthenticationFailures;
  },
): { readonly routes: Router | undefined; readonly keyRoutes: Router | undefined } {
  const { actorKeys, clientKeys, failures } = options;
  const actors = actorKeys && actorKeysPart(publicUrl, actorKeys);
  const parts = [...options.parts, actors].filter((part) => part !== undefined);
  return {
    routes: parts.length === 0 ? undefined : oauthRoutes({ issuer: publicUrl, parts, failures, memory, log }),
    keyRoutes: clientKeys && clientKeysRoutes(clientKeys),
  };
}

const actorKeysPart = (publicUrl: string, actorKeys: SigningKeys): OAuthPart => ({
  grants: new Map(),
  metadata: { jwks_uri: `${publicUrl}${JWKS_PATH}` },
  jwks: () => actorKeys.publicJwks(),
});
