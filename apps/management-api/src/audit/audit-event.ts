import { isDeepStrictEqual } from 'node:util';

/** Field → what it was and what it is; null for what was not there. A secret is `[redacted]` on both sides. */
export type FieldChanges = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

export interface Target {
  readonly type: 'site' | 'organization' | 'member' | 'agent';
  readonly id: string;
  readonly name: string | null;
}

export interface NewAuditEvent {
  /** Thing and what happened to it, such as `site.updated`; part of the API */
  readonly action: string;
  readonly targets: readonly Target[];
  readonly changes?: FieldChanges;
}

/** The fields of `after` that differ from `before`; of a new thing all, where `before` is empty. */
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
