import { type FieldProblem, Problem } from '@legate/service';
import type { z } from 'zod';

/** @throws {Problem} 400 `validation_failed` with every fault and its place */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const errors: FieldProblem[] = parsed.error.issues.map((issue) => ({
    pointer: `/${issue.path.map(String).join('/')}`,
    code: issue.code,
    detail: issue.message,
  }));
  throw new Problem(400, 'validation_failed', 'Request validation failed', { errors });
}

type Conflict =
  | 'client_exists'
  | 'external_id_taken'
  | 'organization_exists'
  | 'policy_exists'
  | 'resource_server_exists'
  | 'signing_keys_shared'
  | 'user_exists';

export const conflict = (code: Conflict, detail: string): Problem =>
  new Problem(409, code, 'Conflict', { detail });
