export { shown } from '@legate/oauth';

/** Checks in the order in which they run: later ones depend on earlier ones. */
export const CHECKS = [
  'reachable',
  'resource_metadata',
  'resource_identifier',
  'authorization_servers',
  'server_metadata',
  'issuer',
  'grant',
  'token_endpoint',
  'client_authentication',
  'jwks',
  'clock',
  'scopes',
  'challenge',
  'origin',
  'token_exchange',
  'id_jag',
  'redemption',
  'tools_list',
] as const;
/** Checks with ID-JAGs that a development identity provider mints; they replace the delegation of a hub */
export const REDEMPTION_CHECKS = [
  'good',
  'replayed',
  'wrong_audience',
  'wrong_type',
  'expired',
  'wrong_client',
  'wrong_secret',
  'wrong_grant',
  'access_token',
  'id_jag_as_token',
] as const;
export type RedemptionCheck = (typeof REDEMPTION_CHECKS)[number];
/** Legs of an examination of an identity provider, in the order in which they run */
export const PROVIDER_LEGS = [
  'metadata',
  'keys',
  'capabilities',
  'sign_in',
  'client',
  'organization',
  'id_jag',
  'token_exchange',
  'fields',
] as const;
export type ProviderLeg = (typeof PROVIDER_LEGS)[number];
export type CheckName = (typeof CHECKS)[number] | RedemptionCheck | ProviderLeg;

export type Status = 'ok' | 'warn' | 'fail' | 'skipped';

/**
 * Observed values: metadata, and the claims `iss`, `typ`, `aud`, `resource`, `client_id`, `scope`, `exp`; never a
 * token.
 */
export type Evidence = Readonly<Record<string, string | number | readonly string[]>>;

export interface Finding {
  readonly status: Status;
  readonly detail: string;
  /** Advice how to fix it; with `warn` and `fail` */
  readonly remedy?: string;
  readonly evidence?: Evidence;
}

export interface CheckResult extends Finding {
  readonly check: CheckName;
}

export interface Report {
  /** `fail` if a check failed, `warn` if one warns */
  readonly status: Exclude<Status, 'skipped'>;
  /** The check to fix first: other faults may be consequences of it. */
  readonly firstFault: CheckResult | undefined;
  readonly checks: readonly CheckResult[];
}

export function toReport(checks: readonly CheckResult[]): Report {
  const firstFault = checks.find(({ status }) => status === 'fail');
  const warns = checks.some(({ status }) => status === 'warn');
  return { status: firstFault ? 'fail' : warns ? 'warn' : 'ok', firstFault, checks };
}

export const ok = (detail: string, evidence?: Evidence): Finding => ({
  status: 'ok',
  detail,
  ...(evidence && { evidence }),
});

export const skipped = (detail: string): Finding => ({ status: 'skipped', detail });

export const warn = (detail: string, remedy: string, evidence?: Evidence): Finding => ({
  status: 'warn',
  detail,
  remedy,
  ...(evidence && { evidence }),
});

export const fail = (detail: string, remedy: string, evidence?: Evidence): Finding => ({
  status: 'fail',
  detail,
  remedy,
  ...(evidence && { evidence }),
});

/**
 * Converts the report to its JSON form.
 * @param isDetailed false: only which checks pass, without the observed values
 */
export function toWire({ status, firstFault, checks }: Report, isDetailed: boolean) {
  const one = (result: CheckResult) =>
    isDetailed ? withDetail(result) : { check: result.check, status: result.status };
  return { status, first_fault: firstFault ? one(firstFault) : null, checks: checks.map(one) };
}

const withDetail = ({ check, status, detail, remedy, evidence }: CheckResult) => ({
  check,
  status,
  detail,
  remedy: remedy ?? null,
  evidence: evidence ?? {},
});
