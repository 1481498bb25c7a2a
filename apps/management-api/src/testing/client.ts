import request, { type Response } from 'supertest';
import type { TestApi } from './test-api.ts';

export type Method = 'get' | 'post' | 'patch' | 'delete' | 'put';

/** Calls the API below /api/v1 as one user. */
export type Client = (
  method: Method,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Response>;

export async function clientOf(
  api: TestApi,
  organizationId: string | undefined,
  claims: Record<string, unknown> = {},
): Promise<Client> {
  const token = await api.token(organizationId, claims);
  return async (method, path, body, headers = {}) => {
    const call = request(api.app)[method](`/api/v1${path}`).auth(token, { type: 'bearer' }).set(headers);
    return body === undefined ? call : call.send(body as object);
  };
}

export interface SavedEvent {
  readonly action: string;
  readonly actor: unknown;
  readonly targets: unknown;
  readonly changes: unknown;
  readonly context: unknown;
  readonly details: unknown;
}

/** Returns the audit trail of a resource from the database, oldest first. */
export function auditTrailOf(api: TestApi, targetId: string): Promise<SavedEvent[]> {
  return api.database.asOwner(async (owner) => {
    const { rows } = await owner.query(
      `SELECT action, actor, targets, changes, context, details FROM audit_events
       WHERE targets @> jsonb_build_array(jsonb_build_object('id', $1::text)) ORDER BY occurred_at, id`,
      [targetId],
    );
    return rows as SavedEvent[];
  });
}
