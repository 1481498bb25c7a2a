import { z } from 'zod';

/**
 * Ids are parts of cache keys, whose separator is a colon (product specification §5), and of URLs, where `.` and `..`
 * are not names.
 */
const ID = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,128}$/;

/** An id of any kind. */
export const Id = z.string().regex(ID, { error: 'must be 1 to 128 of A-Z a-z 0-9 _ . -' });

export const OrganizationId = Id.brand<'OrganizationId'>();
export type OrganizationId = z.output<typeof OrganizationId>;

export const ConnectorId = Id.brand<'ConnectorId'>();
export type ConnectorId = z.output<typeof ConnectorId>;

export const AgentId = Id.brand<'AgentId'>();
export type AgentId = z.output<typeof AgentId>;

export const SiteId = Id.brand<'SiteId'>();
export type SiteId = z.output<typeof SiteId>;

/**
 * Returns true if a text has the form of an id. PostgreSQL, for one, refuses U+0000 with an error. The caller chooses
 * the kind of id: `isId<AgentId>(text)`.
 */
export const isId = <Kind extends OrganizationId | ConnectorId | AgentId | SiteId>(
  text: string,
): text is Kind => ID.test(text);

/**
 * A `sub` as the identity provider writes it. Control characters are refused, because a line break or U+0000 could
 * corrupt logs, rows and keys.
 */
export const UserId = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u)
  .brand<'UserId'>();
export type UserId = z.output<typeof UserId>;
