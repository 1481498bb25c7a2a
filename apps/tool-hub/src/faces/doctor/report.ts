import { CHECKS, type CheckName } from '@legate/doctor';
import { z } from 'zod';

/** Name of a check that the hub runs, as in the common report type */
const Name: z.ZodType<CheckName> = z.enum(CHECKS);

const Check = z
  .strictObject({
    check: Name,
    status: z.enum(['ok', 'warn', 'fail', 'skipped']),
    detail: z.string().optional(),
    remedy: z.string().nullable().optional(),
    evidence: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Check' });

/** Members of every report */
export const report = {
  examined_at: z.iso.datetime(),
  status: z.enum(['ok', 'warn', 'fail']),
  first_fault: Check.nullable(),
  checks: z.array(Check),
};

const Members = z.record(z.string(), z.unknown()).nullable();

export const ExaminedToken = z
  .strictObject({
    leg: z.enum(['id_token', 'id_jag', 'access_token']),
    endpoint: z.string().nullable().describe('The endpoint that issued the token'),
    header: Members.describe('Null for a token that is not a JWT'),
    claims: Members.describe('Claims that identify the token (`jti`, `nonce`, …) are hashed'),
    scopes: z.array(z.string()).nullable(),
    expires_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ExaminedToken' });
