import { OrganizationId, type UserId } from '@legate/ids';
import { UnusableAnswer } from '@legate/service';
import { z } from 'zod';
import { idpError, idpUnavailable, organizationLinkRefused } from './problems.ts';

const Organization = z.looseObject({ id: OrganizationId, external_id: z.string().nullish() });
const Organizations = z.looseObject({ data: z.array(Organization) });

export type IdentityDirectory = ReturnType<typeof createIdentityDirectory>;

/**
 * Accesses the organizations of the identity provider through its admin API. A call may have taken effect even if it
 * throws.
 * @param deps.url of the admin API, such as `https://idp.example/admin`
 * @throws {Problem} from each method: 503 `idp_unavailable`, 502 `idp_error`
 */
export function createIdentityDirectory(deps: {
  fetch: typeof globalThis.fetch;
  url: string;
  apiKey: string;
}) {
  /** @returns a response of any status that shows the outcome of the request */
  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, Authorization: `Bearer ${deps.apiKey}`, Accept: 'application/json' };
    const answer = await deps.fetch(`${deps.url}${path}`, { ...init, headers }).catch((cause: unknown) => {
      throw cause instanceof UnusableAnswer ? idpError(cause) : idpUnavailable(cause);
    });
    if (answer.status >= 500) throw idpUnavailable(statusOf(answer));
    if (answer.status === 401 || answer.status === 429) throw idpError(statusOf(answer));
    return answer;
  }
  const askToCreate = (organization: { id?: string; name: string; external_id: string }) =>
    ask('/organizations', post(organization, { 'Idempotency-Key': organization.external_id }));
  const askToAdd = (user: UserId, organization: OrganizationId, role: string) =>
    ask('/memberships', post({ user, organization, role }));

  return {
    /** @returns the organization's id */
    async findOrganization(externalId: string): Promise<OrganizationId | undefined> {
      const query = new URLSearchParams({ external_id: externalId });
      const { data } = await read(must(await ask(`/organizations?${query}`)), Organizations);
      // Checked again: an admin API that ignores the filter returns all organizations, and the first one would get a
      // new owner.
      return data.find(({ external_id }) => external_id === externalId)?.id;
    },
    /**
     * Creates one organization for each `externalId`. @returns its id. @throws {Problem} 502 also if the response is
     * about another one
     */
    async createOrganization(externalId: string, name: string): Promise<OrganizationId> {
      const created = await read(must(await askToCreate({ name, external_id: externalId })), Organization);
      // An existing organization, perhaps with the same name, belongs to someone and must not get another owner.
      if (created.external_id !== undefined && created.external_id !== externalId)
        throw idpError(new Error('it has answered with another organization'));
      return created.id;
    },
    /** May be repeated. */
    async addOwner(organizationId: OrganizationId, userId: UserId): Promise<void> {
      must(await askToAdd(userId, organizationId, 'owner'));
    },
    /** May be repeated. @throws {Problem} 409 `organization_link_refused` if the identity provider refuses */
    async addMembership(organizationId: OrganizationId, userId: UserId, role: string): Promise<void> {
      const added = await askToAdd(userId, organizationId, role);
      if (!added.ok) throw organizationLinkRefused(statusOf(added));
    },
    /**
     * Ends a user's membership at the identity provider; resolves too if the provider cannot, or knows no such
     * membership.
     */
    async removeMembership(organization: OrganizationId, user: UserId): Promise<void> {
      const query = new URLSearchParams({ user, organization });
      const answer = await ask(`/memberships?${query}`, { method: 'DELETE' });
      if (answer.status !== 404 && answer.status !== 405) must(answer);
    },
    /**
     * Makes the identity provider name an organization in a user's tokens, by the id that it assigned before. If it
     * has lost the organization, it is asked to create it again with the same id. May be repeated, and called for two
     * members at the same time.
     * @throws {Problem} 409 `organization_link_refused` if the identity provider refuses
     */
    async restoreMembership(
      { id, name, role }: { readonly id: OrganizationId; readonly name: string; readonly role: string },
      userId: UserId,
    ): Promise<void> {
      const added = await askToAdd(userId, id, role);
      if (added.ok) return;
      if (added.status !== 404) throw organizationLinkRefused(statusOf(added));
      const created = await askToCreate({ id, name, external_id: id });
      // Our data of the organization and its members' tokens depend on the id.
      if (created.ok && (await read(created, Organization)).id !== id) {
        throw organizationLinkRefused(new Error('it has created another organization'));
      }
      // Done after a refused creation too: another member's sign-in may have created the organization first.
      const addedNow = await askToAdd(userId, id, role);
      if (!addedNow.ok) throw organizationLinkRefused(statusOf(created.ok ? addedNow : created));
    },
  };
}

const post = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const statusOf = ({ status }: Response): Error => new Error(`status ${status}`);

function must(answer: Response): Response {
  if (!answer.ok) throw idpError(statusOf(answer));
  return answer;
}

async function read<T>(answer: Response, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(await answer.json().catch(() => undefined));
  if (!parsed.success) throw idpError(new Error('not the answer of an admin API'));
  return parsed.data;
}
