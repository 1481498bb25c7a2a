import { OrganizationId, UserId } from '@legate/ids';
import type { AccessTokenClaims } from '@legate/jwt';
import { parseScope } from '@legate/oauth';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Endpoints } from '../metadata/endpoints.ts';

// Declared here because the package's types lead to this file, so that its users have `req.auth` too.
declare global {
  namespace Express {
    interface Request {
      /** The caller, set by `requireAccessToken`. */
      auth?: AuthInfo;
    }
  }
}

/** What an access token of ours says about its user: `extra` of the MCP SDK's AuthInfo. */
const Caller = z.object({
  /** Unique only together with `idp` and `tenant`, and in each organization with other data: see `userKeyOf`. */
  sub: UserId,
  /** Issuer of the ID-JAG that the token was issued for. */
  idp: z.string().optional(),
  tenant: z.string().optional(),
  organizationId: OrganizationId.optional(),
  email: z.string().optional(),
  groups: z.array(z.string()).optional(),
  roles: z.array(z.string()).optional(),
});
export type Caller = Readonly<z.output<typeof Caller>>;

/** The value of `req.auth`, which the MCP SDK passes to tools as `ctx.http.authInfo`. */
export interface ToolServerAuthInfo extends AuthInfo {
  extra: Caller & Record<string, unknown>;
}

/** @param acceptedUntil epoch seconds; with the skew, because the SDK compares `expiresAt` without any */
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
    },
  };
}

/**
 * The caller of a tool, from what the SDK hands over.
 * @throws {Error} when the request did not pass `requireAccessToken`: a mistake in the wiring, not of the caller
 */
export function callerOf(authInfo: AuthInfo | undefined): Caller {
  const caller = Caller.safeParse(authInfo?.extra);
  if (!caller.success) throw new Error('no access token was required in front of this tool');
  return caller.data;
}

/** What a key identifies: a user in one organization, or a user in all their organizations. */
export type UserKey = 'user-in-organization' | 'user-across-organizations';

/**
 * Returns one string per user and organization, whichever issuers and tenants there are. What a tool keeps under it stays
 * in the organization in which it was written: a user who acts for another organization does not bring it along.
 * @param userKey `user-across-organizations` leaves the organization out, for data that belong to the person alone
 */
export function userKeyOf(
  { idp, tenant, organizationId, sub }: Caller,
  userKey: UserKey = 'user-in-organization',
): string {
  const issuer = [idp ?? null, tenant ?? null];
  return JSON.stringify(
    userKey === 'user-across-organizations' ? [...issuer, sub] : [...issuer, organizationId ?? null, sub],
  );
}
