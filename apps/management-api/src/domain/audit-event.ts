import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '@legate/management-contract';

/** Field → old and new value; null if there was none. A secret is `[redacted]` on both sides. */
export type FieldChanges = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

export interface Target {
  readonly type:
    | 'site'
    | 'organization'
    | 'member'
    | 'invitation'
    | 'user'
    | 'agent'
    | 'connector'
    | 'domain'
    | 'service_account'
    | 'api_key';
  readonly id: string;
  readonly name: string | null;
}

/** An event to be recorded. */
export interface NewAuditEvent {
  /** Kind of resource and what happened to it, such as `site.updated`; part of the API */
  readonly action: AuditAction;
  readonly targets: readonly Target[];
  readonly changes?: FieldChanges | undefined;
  /** Further details of the event */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

/**
 * Returns the fields of `after` that differ from `before`; all fields if `before` is empty, as for a new
 * resource.
 */
export function changesBetween<Thing extends object>(
  before: Partial<Thing>,
  after: Thing,
  fields: readonly (keyof Thing & string)[],
): FieldChanges {
  const changed = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return Object.fromEntries(
    changed.map((field) => [field, { from: before[field] ?? null, to: after[field] }]),
  );
}
