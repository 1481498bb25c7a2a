import type { Fairness, MemberRules } from './admission/open.ts';
import type { Callers } from './authentication/open.ts';
import type { SecretCipher } from './connectors/secret-cipher.ts';
import type { TxtLookup } from './domains/txt-lookup.ts';
import type { OnboardingOptions } from './onboarding/open.ts';
import type { DescribedApi } from './openapi/routes.ts';
import type { Limits } from './platform/limits.ts';
import type { Quotas } from './resources/quota.ts';
import type { Hub } from './revocations/hub.ts';
import type { TransactionAccess } from './transactions/authenticate-transaction.ts';
import type { UsageCounter } from './usage/counter.ts';

/** What an app is made of besides its platform: main.ts opens it by the settings, and tests by their own. */
export interface Parts {
  readonly callers: Callers;
  /** Lets services call for users; undefined: none may. */
  readonly transactions: TransactionAccess | undefined;
  readonly limits: Limits;
  readonly fairness: Fairness;
  /** Counts what the limiter counts. */
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
  /** How long an API key may be good, in days */
  readonly maxKeyDays: number;
  /** undefined: there is no onboarding. */
  readonly onboarding: OnboardingOptions | undefined;
  /** How readers of the API's page sign in */
  readonly readSignIn: DescribedApi['readSignIn'];
  /** Limit per service that calls as itself; default: as in `internal/routes.ts` */
  readonly workloadRequestsPerMinute?: number | undefined;
}
