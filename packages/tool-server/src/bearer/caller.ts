import { Actor, OrganizationId, UserId } from '@legate/jwt';
import { z } from 'zod';

/** The claims about the user in our access tokens: `extra` of the MCP SDK's AuthInfo. */
const CallerClaims = z.object({
  /** Unique only together with `idp` and `tenant`; a user has separate data in each organization, see `userKey`. */
  sub: UserId,
  /** Issuer of the ID-JAG that the token was issued for. */
  idp: z.string().optional(),
  tenant: z.string().optional(),
  organizationId: OrganizationId.optional(),
  email: z.string().optional(),
  groups: z.array(z.string()).optional(),
  roles: z.array(z.string()).optional(),
  /** The agent that acts for the user, if the identity provider names one. It has no permissions of its own. */
  actor: Actor.optional(),
});
export type CallerClaims = Readonly<z.output<typeof CallerClaims>>;

export interface Caller extends CallerClaims {
  /** One string per user and organization, whichever issuers and tenants there are: the key for a tool's data. */
  readonly userKey: string;
}

/** The part of an `AuthInfo` of the MCP SDK, of either version, that describes the caller. */
export interface AuthInfoLike {
  readonly scopes: readonly string[];
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Returns the caller of a tool from the `AuthInfo` that the SDK passes.
 * @throws {Error} if the request did not pass the gate: a mistake of the application, not of the caller
 */
export function callerOf(authInfo: Pick<AuthInfoLike, 'extra'> | undefined): Caller {
  const claims = CallerClaims.safeParse(authInfo?.extra);
  if (!claims.success) throw new Error('no access token was required in front of this tool');
  return { ...claims.data, userKey: userKeyOf(claims.data) };
}

/**
 * Returns true if the caller has all these scopes. A caller without them gets `toolServer.challenge(scopes)`.
 */
export const hasScopes = (
  authInfo: Pick<AuthInfoLike, 'scopes'> | undefined,
  ...scopes: readonly string[]
): boolean => authInfo !== undefined && scopes.every((scope) => authInfo.scopes.includes(scope));

/** What a key identifies: a user in one organization, or a user in all their organizations. */
export type UserKey = 'user-in-organization' | 'user-across-organizations';

/**
 * Returns one string per user and organization, whichever issuers and tenants there are. Data that a tool stores under
 * it stay in the organization in which they were written: a user who acts for another organization does not see them
 * there. `callerOf(…).userKey` is the same; call this only for the other kind of key.
 * @param userKey `user-across-organizations` leaves the organization out, for data that belong to the person alone
 */
export function userKeyOf(
  { idp, tenant, organizationId, sub }: CallerClaims,
  userKey: UserKey = 'user-in-organization',
): string {
  const issuer = [idp ?? null, tenant ?? null];
  return JSON.stringify(
    userKey === 'user-across-organizations' ? [...issuer, sub] : [...issuer, organizationId ?? null, sub],
  );
}
