import {
  createIdentityProvider,
  type ExchangeProfile,
  type IdentityProvider,
  type IdJagOrganization,
} from '@legate/delegation';
import {
  assertionKeyFault,
  type ExchangePlace,
  findKind,
  hasOneOrganization,
  isForbiddenAudience,
  type OrganizationRule,
  organizationRuleOf,
  type ProviderKind,
  readRefusal,
  type SubjectTokenType,
} from '@legate/identity-providers';
import { boundedIdToken, type IdTokenClaims, type TokenProfile, type TrustedIssuer } from '@legate/jwt';
import { createIssuerKeySet } from '@legate/oauth';
import type { keySetReads } from '@legate/service';
import { type HubClient, openHubClient } from '../platform/hub-client.ts';
import type { Platform } from '../platform/platform.ts';
import { reportForbidden } from './forbidden-provider.ts';
import type { SignInSettings } from './settings.ts';

/** The identity provider: as signer of tokens, and as partner of the token exchange. */
export interface IdentityProviderPart {
  /** How it differs from other identity providers */
  readonly kind: ProviderKind;
  /** The identity provider as signer of callers' ID tokens */
  readonly issuer: TrustedIssuer;
  readonly acceptedAudiences: readonly string[];
  /** How the organization of an ID token is found. Users must not be able to choose the claim. */
  readonly organizationRule: OrganizationRule;
  /** What an ID token must and must not contain */
  readonly idTokenProfile: TokenProfile<IdTokenClaims>;
  /** False: the hub asks for no ID-JAGs, because the kind issues none and no setting says otherwise. */
  readonly issuesIdJags: boolean;
  /** The type of token that the identity provider exchanges */
  readonly subjectTokenType: SubjectTokenType;
  /** Scopes that a sign-in at the hub requests too, so that its access token can be exchanged */
  readonly subjectScope?: string | undefined;
  /** How it exchanges the access token of a sign-in for one of a tool server; undefined: not at all */
  readonly exchange?: ExchangeProfile | undefined;
  /** The identity provider as partner of the token exchange */
  readonly identityProvider: () => Promise<IdentityProvider>;
  readonly idJagOrganization: IdJagOrganization;
  /** The hub's own client at the identity provider, whose refresh tokens the hub may redeem too */
  readonly hubClient: HubClient;
}

/** @returns undefined for a kind of provider that exchanges no access tokens */
export function exchangeProfileOf(place: ExchangePlace): ExchangeProfile | undefined {
  const { exchange: flavour, accessTokenUserClaim: userClaim } = findKind(place.kind);
  return (
    flavour && {
      ...{ flavour, userClaim },
      readRefusal: (refusal) => readRefusal(place.kind, 'exchange', refusal),
      isForbidden: (audience) => isForbiddenAudience(audience, place),
    }
  );
}

export function openIdentityProvider(
  { clock, log, publicUrl, ...platform }: Platform,
  settings: SignInSettings,
  reads: ReturnType<typeof keySetReads>,
): IdentityProviderPart & { close(): Promise<void> } {
  const issuer = settings.IDP_ISSUER;
  const http = reportForbidden(platform.http, { log, issuer });
  const organizationRule = organizationRuleOf(settings);
  const kind = findKind(settings.IDP_KIND);
  log.info({ issuer, kind: settings.IDP_KIND }, 'identity provider');
  const [key] = settings.IDP_CLIENT_KEYS ?? [];
  const keyFault = key && assertionKeyFault(settings.IDP_KIND, key);
  // Only a warning, because a provider may accept more than its documents say.
  if (keyFault)
    log.warn(
      { issuer, kind: settings.IDP_KIND },
      `IDP_CLIENT_KEYS: the first key ${keyFault.says}. ${keyFault.helps}`,
    );
  const subjectTokenType =
    settings.IDP_SUBJECT_TOKEN_TYPE ??
    kind.idJagSubject ??
    (kind.exchange === undefined ? 'id_token' : 'access_token');
  const { close, ...hubClient } = openHubClient(settings, { http, clock });
  return {
    kind,
    issuer: {
      issuer,
      keys: createIssuerKeySet({ issuer, getJson: http.getJson, clock, onRead: reads(issuer) }),
    },
    acceptedAudiences: settings.ACCEPTED_AUDIENCES ?? [settings.IDP_CLIENT_ID],
    organizationRule,
    idTokenProfile: boundedIdToken({ allowedMarks: settings.ID_TOKEN_ALLOWED_CLAIMS }),
    subjectTokenType,
    subjectScope:
      subjectTokenType === 'access_token'
        ? kind.subjectScope?.replace('{client_id}', hubClient.clientId)
        : undefined,
    exchange: exchangeProfileOf({
      ...{ kind: settings.IDP_KIND, issuer, clientIds: [hubClient.clientId], services: [publicUrl] },
    }),
    issuesIdJags: kind.idJagSubject !== undefined || settings.IDP_SUBJECT_TOKEN_TYPE === 'id_token',
    identityProvider: createIdentityProvider({
      issuer,
      ...hubClient,
      sendsResource: kind.sendsResource,
      explain: (leg, refusal) => readRefusal(settings.IDP_KIND, leg, refusal).hint,
      clock,
    }),
    // With a single organization, an ID-JAG cannot be for another one.
    idJagOrganization:
      settings.ID_JAG_ORGANIZATION ?? (hasOneOrganization(organizationRule) ? 'optional' : 'required'),
    hubClient,
    close,
  };
}
