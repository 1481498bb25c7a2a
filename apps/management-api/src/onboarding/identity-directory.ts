import { UnusableAnswer } from '@legate/service';
import { z } from 'zod';
import { isId } from '../api/id.ts';
import { idpError, idpUnavailable } from './problems.ts';

/**
 * The identity provider's organizations, by its admin API.
 * @throws {Problem} 503 `idp_unavailable`, 502 `idp_error`; what was asked for may have happened
 */
export interface IdentityDirectory {
  /** @returns the organization's id */
  findOrganization(externalId: string): Promise<string | undefined>;
  /** Creates it once for each `externalId`. @returns its id */
  createOrganization(externalId: string, name: string): Promise<string>;
  /** May be repeated. */
  addOwner(organizationId: string, userId: string): Promise<void>;
}

const Organization = z.looseObject({ id: z.string().refine(isId) });
const Organizations = z.looseObject({
  data: z.array(Organization.extend({ external_id: z.string().nullish() })),
});

/** @param deps.url of the admin API, such as `https://idp.example/admin` */
export function createIdentityDirectory(deps: {
  fetch: typeof globalThis.fetch;
  url: string;
  apiKey: string;
}): IdentityDirectory {
  async function send<T>(path: string, schema: z.ZodType<T>, init: RequestInit = {}): Promise<T> {
    const headers = { ...init.headers, Authorization: `Bearer ${deps.apiKey}`, Accept: 'application/json' };
    const answer = await deps.fetch(`${deps.url}${path}`, { ...init, headers }).catch((cause: unknown) => {
      throw cause instanceof UnusableAnswer ? idpError(cause) : idpUnavailable(cause);
    });
    if (answer.status >= 500) throw idpUnavailable(new Error(`status ${answer.status}`));
    if (!answer.ok) throw idpError(new Error(`status ${answer.status}`));
    const parsed = schema.safeParse(await answer.json().catch(() => undefined));
    if (!parsed.success) throw idpError(new Error('not the answer of an admin API'));
    return parsed.data;
  }
  const post = <T>(path: string, schema: z.ZodType<T>, body: object, headers = {}) =>
    send(path, schema, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  return {
    async findOrganization(externalId) {
      const query = new URLSearchParams({ external_id: externalId });
      const { data } = await send(`/organizations?${query}`, Organizations);
      // Asked again: an admin API that does not know the filter lists everybody's, and the first would get a new owner.
      return data.find(({ external_id }) => external_id === externalId)?.id;
    },
    async createOrganization(externalId, name) {
      const headers = { 'Idempotency-Key': externalId };
      const body = { name, external_id: externalId };
      return (await post('/organizations', Organization, body, headers)).id;
    },
    async addOwner(organizationId, userId) {
      const body = { user: userId, organization: organizationId, role: 'owner' };
      await post('/memberships', z.unknown(), body);
    },
  };
}
