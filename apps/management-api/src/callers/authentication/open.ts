import {
  claimOf,
  findKind,
  type KindName,
  type OrganizationRule,
  organizationRuleOf,
} from '@legate/identity-providers';
import { type CachedVerifyToken, cacheVerified, type IdpAccessTokenClaims } from '@legate/jwt';
import { createIssuerKeySet } from '@legate/oauth';
import type { keySetReads } from '@legate/service';
import { type CachedVerifyWorkload, createWorkloadVerifier } from '@legate/workload';
import type { Platform } from '../../platform/platform.ts';
import type { CallerSettings } from './settings.ts';
import { createCallerTokenVerifier } from './verify-token.ts';

/** Verifies callers by their tokens from the identity provider. */
export interface Callers {
  /** Verifies access tokens of users and of machines. */
  readonly verifyToken: CachedVerifyToken<IdpAccessTokenClaims>;
  /** The claim of access tokens that is the id of a user */
  readonly userClaim: string;
  readonly organizationRule: OrganizationRule;
  /** Verifies tokens of services that call as themselves; undefined if no service may. */
  readonly verifyWorkload: CachedVerifyWorkload | undefined;
}

export function openCallers(
  {
    resource: audience,
    issuer,
    http,
    clock,
    log,
  }: Pick<Platform, 'resource' | 'issuer' | 'http' | 'clock' | 'log'>,
  settings: CallerSettings & { readonly IDP_KIND: KindName },
  onKeysRead: ReturnType<typeof keySetReads>,
): Callers {
  const { WORKLOADS: workloads } = settings;
  const organizationRule = organizationRuleOf(settings);
  const kind = findKind(settings.IDP_KIND);
  log.info({ issuer, kind: settings.IDP_KIND }, 'identity provider');
  const keys = createIssuerKeySet({
    issuer,
    getJson: http.getJson,
    clock,
    onRead: onKeysRead(issuer),
  });
  const verifyToken = createCallerTokenVerifier({
    issuers: [{ issuer, keys }],
    types: settings.ACCESS_TOKEN_TYPES ?? kind.accessTokenTypes,
    ...{ audience, organizationRule, clock },
  });
  return {
    verifyToken: cacheVerified(verifyToken, { clock }),
    userClaim: kind.accessTokenUserClaim,
    organizationRule,
    verifyWorkload:
      workloads.size === 0
        ? undefined
        : createWorkloadVerifier({
            issuer: { issuer, keys },
            ...{ audience, workloads, clock },
            organizationClaim: claimOf(organizationRule),
          }),
  };
}
