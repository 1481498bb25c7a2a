import { OrganizationId, type UserId } from '@legate/ids';
import { isSameResource } from '@legate/oauth';
import { notFound } from '@legate/service';
import { z } from 'zod';
import type { OpenDocuments } from './documents.ts';
import {
  type AccessTokenResourceServer,
  Client,
  type IdJagResourceServer,
  Membership,
  Organization,
  Policy,
  ResourceServer,
  User,
} from './model.ts';

/** A user's organization, as tokens contain it. */
export interface Affiliation {
  readonly organizationId: OrganizationId;
  readonly role: string;
}

/** One membership per user and organization. */
export const membershipId = (userId: UserId, organizationId: OrganizationId): string =>
  JSON.stringify([userId, organizationId]);

export type Directory = ReturnType<typeof createDirectory>;

/** Users, organizations, clients, resource servers and policies: the data that determine what a token contains. */
export function createDirectory(open: OpenDocuments) {
  const users = open('users', User);
  const memberships = open('memberships', Membership);
  const resourceServers = open('resource-servers', ResourceServer);

  /** @param idOrEmail an e-mail address is compared without regard to case */
  async function findUser(idOrEmail: string): Promise<User | undefined> {
    if (!idOrEmail.includes('@')) return users.find(idOrEmail);
    const email = idOrEmail.toLowerCase();
    return (await users.list()).find((user) => user.email === email);
  }

  return {
    users,
    organizations: open('organizations', Organization),
    memberships,
    clients: open('clients', Client),
    resourceServers,
    policies: open('policies', Policy),
    /** Documents created for each `external_id` and `Idempotency-Key`, so that a retry finds them. */
    claimed: open(
      'claimed',
      z.object({ organizationId: OrganizationId, fingerprint: z.string().optional() }),
    ),
    seeds: open('seeds', z.object({ at: z.number() })),

    findUser,
    /** @throws {Problem} 404 */
    async existingUser(idOrEmail: string): Promise<User> {
      const user = await findUser(idOrEmail);
      if (!user) throw notFound('No such user.');
      return user;
    },
    /** Returns the organization for new tokens: the one that the user joined first. */
    async findAffiliation(userId: UserId): Promise<Affiliation | undefined> {
      const [first] = (await memberships.list())
        .filter((membership) => membership.userId === userId)
        .sort((a, b) => a.createdAt - b.createdAt || (a.organizationId < b.organizationId ? -1 : 1));
      return first && { organizationId: first.organizationId, role: first.role };
    },
    findMembership: (userId: UserId, organizationId: OrganizationId) =>
      memberships.find(membershipId(userId, organizationId)),
    /** Returns all tool servers with this resource identifier, or whose authorization server has this issuer. */
    async findIdJagTargets(audience: string) {
      return (await resourceServers.list()).filter(
        (server): server is IdJagResourceServer =>
          server.accepts === 'id_jag' && (server.issuer === audience || server.resource === audience),
      );
    },
    /** @param audience its name in an exchange, compared exactly */
    async findApiByAudience(audience: string) {
      return (await resourceServers.list()).find(
        (server): server is AccessTokenResourceServer =>
          server.accepts === 'access_token' && (server.audience ?? server.resource) === audience,
      );
    },
    async findApi(resource: string) {
      return (await resourceServers.list()).find(
        (server): server is AccessTokenResourceServer =>
          server.accepts === 'access_token' &&
          isSameResource({ presented: resource, configured: server.resource }),
      );
    },
  };
}
