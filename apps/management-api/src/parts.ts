import type { ExchangePlace } from '@legate/identity-providers';
import type { Callers } from './callers/authentication/open.ts';
import type { Fairness, MemberRules } from './callers/open.ts';
import type { TransactionAccess } from './callers/transactions/authenticate-transaction.ts';
import type { SecretCipher } from './catalog/connectors/secret-cipher.ts';
import type { TxtLookup } from './catalog/domains/txt-lookup.ts';
import type { Quotas } from './catalog/resources/quota.ts';
import type { DescribedApi } from './http/openapi/routes.ts';
import type { Hub } from './hub/hub.ts';
import type { OnboardingOptions } from './people/onboarding/open.ts';
import type { Limits } from './platform/limits.ts';
import type { UsageCounter } from './trail/usage/counter.ts';

/**
 * The parts of an app besides its platform: main.ts opens them by the settings, and tests with their own
 * settings.
 */
export interface Parts {
  readonly callers: Callers;
  /** Allows services to act for users with transaction tokens; undefined: no service may. */
  readonly transactions: TransactionAccess | undefined;
  readonly limits: Limits;
  readonly fairness: Fairness;
  /** Counts the decisions of the limiter. */
  readonly usage: Pick<UsageCounter, 'count'>;
  /** Receives revocations; undefined: no hub is configured. */
  readonly hub: Hub | undefined;
  readonly memberRules: MemberRules;
  /** Maximum numbers of resources of an organization */
  readonly quotas: Quotas;
  /** Encryption keys for the secrets of connectors. */
  readonly cipher: SecretCipher;
  /** Audiences that no tool server may have */
  readonly refusedAudiences: ExchangePlace;
  /** Non-public addresses that the HTTP client may reach */
  readonly outboundAllow: readonly string[];
  /** Reads the DNS records that prove domains. */
  readonly lookupTxt: TxtLookup;
  /** Maximum lifetime of an API key, in days */
  readonly maxKeyDays: number;
  /** undefined: there is no onboarding. */
  readonly onboarding: OnboardingOptions | undefined;
  /** How readers of the API's page sign in */
  readonly readSignIn: DescribedApi['readSignIn'];
  /** Limit per service that calls with its own token; default: see `internal/routes.ts` */
  readonly workloadRequestsPerMinute?: number | undefined;
}
