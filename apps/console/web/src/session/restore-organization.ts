import { api, management } from '../api/client.ts';

/**
 * Restores the reader's organization.
 * @throws {ApiProblem} the reader is no owner, or it is too late
 */
export async function restoreOrganization(): Promise<void> {
  await api.send(management('/organization/restore'), {
    method: 'POST',
    idempotencyKey: crypto.randomUUID(),
  });
}
