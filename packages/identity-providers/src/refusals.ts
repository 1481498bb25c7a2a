import type { KindName } from './kinds.ts';
import { type RefusalRow, type RefusedLeg, ROWS_BY_KIND, STANDARD_ROWS } from './refusal-rows.ts';

/** What an identity provider answered when it refused a request of the hub (RFC 6749 §5.2) */
export interface ProviderRefusal {
  readonly error: string;
  readonly details?: RefusalDetails | undefined;
}

/** What some providers add to `error`. It is compared with the rows, and never shown. */
export interface RefusalDetails {
  /** `error_description` */
  readonly description?: string | undefined;
  /** `error_codes` */
  readonly codes?: readonly number[] | undefined;
  /** A finer code */
  readonly suberror?: string | undefined;
  /** Status of the HTTP response */
  readonly status?: number | undefined;
}

/** What a refusal means, in our words alone */
export interface RefusalMeaning {
  /** Outcome of an exchange of an access token; undefined for an error that no row has */
  readonly outcome?: RefusalRow['outcome'];
  readonly why?: RefusalRow['why'];
  /** The cause, and what the operator of the hub or an administrator can do; undefined: `error` says it all */
  readonly hint?: string | undefined;
}

/**
 * Reads a refusal by the rows of this kind of provider, then by the standards: the first that fits explains, the first
 * with an outcome decides.
 */
export function readRefusal(kind: KindName, leg: RefusedLeg, refusal: ProviderRefusal): RefusalMeaning {
  const rows = [...(ROWS_BY_KIND[kind] ?? []), ...STANDARD_ROWS].filter((row) => fits(row, leg, refusal));
  const decision = rows.find(({ outcome }) => outcome !== undefined);
  return { outcome: decision?.outcome, why: decision?.why, hint: rows[0]?.hint };
}

function fits({ when }: RefusalRow, leg: RefusedLeg, { error, details = {} }: ProviderRefusal): boolean {
  const { description = '', codes = [], suberror, status } = details;
  return (
    (when.leg === undefined || when.leg === leg) &&
    (when.errors === undefined || when.errors.includes(error)) &&
    (when.suberror === undefined || when.suberror === suberror) &&
    (when.codes === undefined || when.codes.some((code) => codes.includes(code))) &&
    (when.says === undefined || description.toLowerCase().includes(when.says.toLowerCase())) &&
    (when.status === undefined || when.status === status)
  );
}
