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

/** What an app is made of besides its platform: main.ts opens it by the settings, and tests by their own. */
export interface Parts {
  readonly callers: Callers;
  /** Lets services call for users; undefined: none may. */
  readonly transactions: TransactionAccess | undefined;
  readonly limits: Limits;
  readonly fairness: Fairness;
  /** Counts the decisions of the limiter. */
  readonly usage: Pick<UsageCounter, 'count'>;
  /** Receives revocations; undefined: there is no hub. */
  readonly hub: Hub | undefined;
  readonly memberRules: MemberRules;
  /** What an organization may have at most */
  readonly quotas: Quotas;
  /** Seals the secrets of connectors. */
  readonly cipher: SecretCipher;
  /** Addresses that the HTTP client may reach besides public ones */
  readonly outboundAllow: readonly string[];
  /** Reads the records that prove domains. */
  readonly lookupTxt: TxtLookup;
  /** Maximum lifetime of an API key, in days */
  readonly maxKeyDays: number;
  /** undefined: there is no onboarding. */
  readonly onboarding: OnboardingOptions | undefined;
  /** How readers of the API's page sign in */
  readonly readSignIn: DescribedApi['readSignIn'];
  /** Limit per service that calls as itself; default: as in `internal/routes.ts` */
  readonly workloadRequestsPerMinute?: number | undefined;
}
