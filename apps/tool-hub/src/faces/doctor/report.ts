/** In the order in which they are made: what a later one needs, an earlier one has looked at. */
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
export type CheckName = (typeof CHECKS)[number];

export type Status = 'ok' | 'warn' | 'fail' | 'skipped';

/** What was seen: values of metadata and of the claims `typ`, `aud`, `resource`, `scope`, `exp`; never a token. */
export type Evidence = Readonly<Record<string, string | number | readonly string[]>>;

export interface Finding {
  readonly status: Status;
  readonly detail: string;
  /** What somebody must do; with `warn` and `fail` */
  readonly remedy?: string;
  readonly evidence?: Evidence;
}

export interface CheckResult extends Finding {
  readonly check: CheckName;
}

export interface Report {
  /** `fail` when a check failed, else `warn` when one warns */
  readonly status: Exclude<Status, 'skipped'>;
  /** What to repair first: the others may only follow from it. */
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

const MAX_LENGTH = 200;

/** A stranger's text as it may stand in an answer or on a terminal: short, and without control characters. */
export function shown(text: string): string {
  const printable = text.replace(/[^\x20-\x7E]/g, '?');
  return printable.length > MAX_LENGTH ? `${printable.slice(0, MAX_LENGTH)}…` : printable;
}
