import type { AccessTokenClaims } from '@legate/jwt';
import { parseScope } from '@legate/oauth';
import type { Endpoints } from '../metadata/endpoints.ts';
import type { CallerClaims } from './caller.ts';

/** The caller of a request: the `AuthInfo` of the MCP SDK, versions 1 and 2, which passes it to tools. */
export interface ToolServerAuthInfo {
  token: string;
  clientId: string;
  scopes: string[];
  /** Epoch seconds */
  expiresAt: number;
  resource: URL;
  resourceMetadataUrl: string;
  extra: CallerClaims & Record<string, unknown>;
}

/** @param acceptedUntil epoch seconds including the clock skew, because the SDK compares `expiresAt` without skew */
export function authInfoOf(
  token: string,
  claims: AccessTokenClaims,
  acceptedUntil: number,
  endpoints: Endpoints,
): ToolServerAuthInfo {
  return {
    token,
    clientId: claims.client_id,
    scopes: parseScope(claims.scope),
    expiresAt: acceptedUntil,
    resource: new URL(endpoints.resource),
    resourceMetadataUrl: endpoints.resourceMetadata,
    extra: {
      sub: claims.sub,
      idp: claims.idp,
      tenant: claims.tenant,
      organizationId: claims.organization_id,
      email: claims.email,
      groups: claims.groups,
      roles: claims.roles,
      actor: claims.act,
    },
  };
}
