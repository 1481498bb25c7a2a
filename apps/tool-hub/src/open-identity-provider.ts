import { createIdentityProvider } from '@legate/delegation';
import { boundedIdToken } from '@legate/jwt';
import { createIssuerKeySet } from '@legate/oauth';
import type { HttpClient, keySetReads } from '@legate/service';
import { createWorkloadVerifier } from '@legate/workload';
import type { Config } from './config.ts';
import { hubCredentials } from './platform/hub-credentials.ts';
import { PEER_TIMEOUT_MS } from './platform/outbound.ts';
import { withTimeout } from './resilience/with-timeout.ts';
import type { AppDependencies } from './wiring/app-dependencies.ts';

type IdentityProviderParts = Pick<
  AppDependencies,
  | 'issuer'
  | 'acceptedAudiences'
  | 'organizationClaim'
  | 'idTokenProfile'
  | 'idJagOrganization'
  | 'identityProvider'
  | 'verifyWorkload'
> & { readonly hubClient: AppDependencies['sessions']['hubClient'] };

/** The identity provider: as signer of tokens, and as partner of the token exchange. */
export function openIdentityProvider(
  config: Config,
  deps: {
    http: Pick<HttpClient, 'fetch' | 'getJson'>;
    reads: ReturnType<typeof keySetReads>;
    clock: () => Date;
  },
): IdentityProviderParts {
  const { http, clock } = deps;
  const issuer = config.IDP_ISSUER;
  const organizationClaim = config.ORGANIZATION_CLAIM;
  const trusted = {
    issuer,
    keys: createIssuerKeySet({ issuer, getJson: http.getJson, clock, onRead: deps.reads(issuer) }),
  };
  const hubClient = { clientId: config.IDP_CLIENT_ID, clientAuth: hubCredentials(config) };
  return {
    issuer: trusted,
    hubClient,
    acceptedAudiences: config.ACCEPTED_AUDIENCES ?? [config.IDP_CLIENT_ID],
    organizationClaim,
    idTokenProfile: boundedIdToken({
      allowedMarks: config.ID_TOKEN_ALLOWED_CLAIMS,
    }),
    idJagOrganization: config.ID_JAG_ORGANIZATION,
    identityProvider: createIdentityProvider({
      issuer,
      ...hubClient,
      fetch: withTimeout(http.fetch, PEER_TIMEOUT_MS),
      clock,
    }),
    verifyWorkload:
      config.WORKLOADS.size === 0
        ? undefined
        : createWorkloadVerifier({
            issuer: trusted,
            audience: config.PUBLIC_URL,
            workloads: config.WORKLOADS,
            organizationClaim,
            clock,
          }),
  };
}
