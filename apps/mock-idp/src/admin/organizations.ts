import { createHash, randomUUID } from 'node:crypto';
import { OrganizationId } from '@legate/ids';
import { epochSeconds } from '@legate/jwt';
import { notFound } from '@legate/service';
import type { Directory } from '../directory/directory.ts';
import type { Organization } from '../directory/model.ts';
import type { OrganizationEntry } from '../directory/wire.ts';
import { problem } from './problem-codes.ts';

/**
 * Creates an organization once: a retry with the same `Idempotency-Key`, or another request with the same
 * `external_id`, returns the organization that the first request created. Both keys are claimed in one atomic step
 * before the organization is written, so that a retry completes the creation after a crash in between.
 * @throws {Problem} 422 `idempotency_key_reused` with another body, 409 `organization_exists` for a taken id or another
 * name, 409 `external_id_taken`
 */
export function createOrganizationService(deps: { directory: Directory; clock: () => Date }) {
  const { directory } = deps;

  async function claim(key: string, organizationId: OrganizationId, fingerprint?: string) {
    const wanted = { organizationId, ...(fingerprint !== undefined && { fingerprint }) };
    return (await directory.claimed.add(key, wanted))
      ? wanted
      : ((await directory.claimed.find(key)) ?? wanted);
  }

  return {
    async create(
      entry: OrganizationEntry,
      idempotencyKey: string | undefined,
    ): Promise<{ organization: Organization; created: boolean }> {
      let id = entry.id ?? OrganizationId.parse(`org_${randomUUID().replaceAll('-', '')}`);
      if (idempotencyKey !== undefined) {
        const fingerprint = createHash('sha256').update(JSON.stringify(entry)).digest('base64url');
        const first = await claim(`idempotency_key:${idempotencyKey}`, id, fingerprint);
        if (first.fingerprint !== fingerprint)
          throw problem('idempotency_key_reused', {
            detail: 'This Idempotency-Key was used with another request body.',
          });
        id = first.organizationId;
      }
      if (entry.external_id !== undefined) {
        const owner = await claim(`external_id:${entry.external_id}`, id);
        if (entry.id !== undefined && owner.organizationId !== entry.id)
          throw problem('external_id_taken', { detail: 'Another organization has this external_id.' });
        id = owner.organizationId;
      }
      const organization: Organization = {
        id,
        name: entry.name,
        ...(entry.external_id !== undefined && { externalId: entry.external_id }),
        createdAt: epochSeconds(deps.clock()),
      };
      if (await directory.organizations.add(id, organization)) return { organization, created: true };
      const existing = await directory.organizations.find(id);
      const same = existing?.name === entry.name && existing.externalId === entry.external_id;
      // Only an idempotency key or an external_id identifies a request as a retry.
      if (!existing || !same || (idempotencyKey === undefined && entry.external_id === undefined))
        throw problem('organization_exists', {
          detail: 'An organization with this id or external_id exists.',
        });
      return { organization: existing, created: false };
    },

    async find(id: string): Promise<Organization> {
      const organization = await directory.organizations.find(id);
      if (!organization) throw notFound();
      return organization;
    },

    async listByExternalId(externalId: string): Promise<Organization[]> {
      const owner = await directory.claimed.find(`external_id:${externalId}`);
      const organization = owner && (await directory.organizations.find(owner.organizationId));
      return organization ? [organization] : [];
    },
  };
}
