import { transactionToken } from '@legate/jwt';
import { checkClientMembers, clientMembers, ScopeToken } from '@legate/oauth';
import { identifierUrl, issuerUrl } from '@legate/service/outbound';
import { z } from 'zod';
import { RESERVED } from './transaction-context.ts';

/**
 * A member of `request_details` or `request_context`. Names that begin with an underscore, such as __proto__, are
 * refused.
 */
const MemberName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);

const namesBut = (reserved: readonly string[]) =>
  z
    .array(MemberName)
    .refine((names) => !names.some((name) => reserved.includes(name)), {
      error: `must not have ${reserved.join(', ')}`,
    })
    .default([]);

const Operation = z.strictObject({
  /** The `scope` of the token: one operation of the service. */
  name: ScopeToken,
  /** The scope of the subject token that covers it. Tool servers and services use different scopes. */
  subject_scope: ScopeToken,
  /** Members of `request_details` that go into `tctx`. */
  details: namesBut(RESERVED.details),
});

const Service = z.strictObject({
  /** Identifier of exactly one service: the `aud` of the token. */
  audience: identifierUrl,
  operations: z.array(Operation).refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
    error: 'must not name an operation twice',
  }),
});

export const WorkloadEntry = z
  .strictObject({
    ...clientMembers,
    /** The issuer and audience of access tokens that it may exchange: those issued for it. */
    subject_issuer: z.strictObject({
      /** `iss`, compared as a string */
      issuer: issuerUrl,
      /** URL of the keys, for an issuer without discovery. */
      jwks_uri: z.url().optional(),
      /** `aud`: the resource identifier of the workload */
      audience: identifierUrl,
    }),
    /** Default: no transaction tokens. */
    services: z
      .array(Service)
      .refine((all) => new Set(all.map(({ audience }) => audience)).size === all.length, {
        error: 'must not name an audience twice',
      }),
    /** Members of `request_context` that go into `rctx`. */
    context: namesBut(RESERVED.context),
    /** A token never outlives its subject token. */
    lifetime_seconds: z.number().int().min(5).max(transactionToken.maxLifetimeSeconds).default(60),
  })
  .superRefine(checkClientMembers);
export type WorkloadEntry = z.output<typeof WorkloadEntry>;
