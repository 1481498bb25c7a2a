import { OrganizationId, type UserId } from '@legate/ids';
import { isSameResource } from '@legate/oauth';
import { z } from 'zod';
import type { Documents, OpenDocuments } from './documents.ts';
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

/** A user's membership as tokens state it. */
export interface Affiliation {
  readonly organizationId: OrganizationId;
  readonly role: string;
}

/** Users, organizations, clients, resource servers and policies: all that decides what a token may say. */
export interface Directory {
  readonly users: Documents<User>;
  readonly organizations: Documents<Organization>;
  readonly memberships: Documents<Membership>;
  readonly clients: Documents<Client>;
  readonly resourceServers: Documents<ResourceServer>;
  readonly policies: Documents<Policy>;
  /** Owners of each `external_id` and `Idempotency-Key`, so that a retry finds what it created. */
  readonly claimed: Documents<{ organizationId: OrganizationId; fingerprint?: string | undefined }>;
  readonly seeds: Documents<{ at: number }>;

  /** @param idOrEmail the e-mail address is compared without regard to case */
  findUser(idOrEmail: string): Promise<User | undefined>;
  /** The organization for new tokens: the one that the user joined first. */
  findAffiliation(userId: UserId): Promise<Affiliation | undefined>;
  findMembership(userId: UserId, organizationId: OrganizationId): Promise<Membership | undefined>;
  /** Every tool server that goes by this name: its resource identifier, or the issuer of its authorization server. */
  findIdJagTargets(audience: string): Promise<IdJagResourceServer[]>;
  findApi(resource: string): Promise<AccessTokenResourceServer | undefined>;
}

/** One membership per user and organization. */
export const membershipId = (userId: UserId, organizationId: OrganizationId): string =>
  JSON.stringify([userId, organizationId]);

export function createDirectory(open: OpenDocuments): Directory {
  const users = open('users', User);
  const memberships = open('memberships', Membership);
  const resourceServers = open('resource-servers', ResourceServer);

  return {
    users,
    organizations: open('organizations', Organization),
    memberships,
    clients: open('clients', Client),
    resourceServers,
    policies: open('policies', Policy),
    claimed: open(
      'claimed',
      z.object({ organizationId: OrganizationId, fingerprint: z.string().optional() }),
    ),
    seeds: open('seeds', z.object({ at: z.number() })),

    async findUser(idOrEmail) {
      if (!idOrEmail.includes('@')) return users.find(idOrEmail);
      const email = idOrEmail.toLowerCase();
      return (await users.list()).find((user) => user.email === email);
    },
    async findAffiliation(userId) {
      const [first] = (await memberships.list())
        .filter((membership) => membership.userId === userId)
        .sort((a, b) => a.createdAt - b.createdAt || (a.organizationId < b.organizationId ? -1 : 1));
      return first && { organizationId: first.organizationId, role: first.role };
    },
    findMembership: (userId, organizationId) => memberships.find(membershipId(userId, organizationId)),
    async findIdJagTargets(audience) {
      return (await resourceServers.list()).filter(
        (server): server is IdJagResourceServer =>
          server.accepts === 'id_jag' && (server.issuer === audience || server.resource === audience),
      );
    },
    async findApi(resource) {
      return (await resourceServers.list()).find(
        (server): server is AccessTokenResourceServer =>
          server.accepts === 'access_token' &&
          isSameResource({ presented: resource, configured: server.resource }),
      );
    },
  };
}
