import { findKind, type KindName } from '@legate/identity-providers';
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
  const { ORGANIZATION_CLAIM: organizationClaim, WORKLOADS: workloads } = settings;
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
    ...{ audience, organizationClaim, clock },
  });
  return {
    verifyToken: cacheVerified(verifyToken, { clock }),
    verifyWorkload:
      workloads.size === 0
        ? undefined
        : createWorkloadVerifier({
            issuer: { issuer, keys },
            ...{ audience, workloads, organizationClaim, clock },
          }),
  };
}
