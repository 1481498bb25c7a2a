import { createHash } from 'node:crypto';
import { UserId } from '@legate/ids';
import { epochSeconds } from '@legate/jwt';
import { z } from 'zod';
import { type Directory, membershipId } from './directory.ts';
import { hashPassword } from './password.ts';
import {
  ClientEntry,
  MembershipEntry,
  OrganizationEntry,
  PolicyEntry,
  ResourceServerEntry,
  toClient,
  toPolicy,
  toResourceServer,
  UserEntry,
} from './wire.ts';

const withId = <T extends z.ZodType<{ id?: string | undefined }>>(entry: T) =>
  entry.refine(({ id }) => id !== undefined, { path: ['id'], error: 'required' });

/** The configuration file. All references in it are checked, and all faults are reported at once. */
export const DirectoryFile = z
  .strictObject({
    /** True if the file contains publicly known secrets: refused in production */
    development: z.boolean().default(false),
    /** A number, or its text, so that an environment variable can set it */
    id_token_ttl_seconds: z.coerce.number().int().min(5).max(86_400).default(3600),
    users: z.array(UserEntry.required({ id: true })).default([]),
    organizations: z.array(OrganizationEntry.required({ id: true })).default([]),
    memberships: z.array(MembershipEntry).default([]),
    clients: z.array(ClientEntry).default([]),
    resource_servers: z.array(ResourceServerEntry).default([]),
    policies: z.array(withId(PolicyEntry)).default([]),
  })
  .superRefine((file, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const unique = <Entry>(list: string, entries: readonly Entry[], keyOf: (entry: Entry) => string) => {
      const keys = entries.map(keyOf);
      keys.forEach((key, index) => {
        if (keys.indexOf(key) !== index) refuse([list, index], 'duplicate');
      });
      return new Set(keys);
    };
    const users = unique('users', file.users, ({ id }) => id);
    const emails = unique('users', file.users, ({ email }) => email);
    const organizations = unique('organizations', file.organizations, ({ id }) => id);
    const clients = unique('clients', file.clients, ({ client_id }) => client_id);
    unique('resource_servers', file.resource_servers, ({ resource }) => resource);
    unique('policies', file.policies, ({ id }) => id ?? '');

    file.memberships.forEach(({ user, organization }, index) => {
      if (!users.has(user) && !emails.has(user.toLowerCase()))
        refuse(['memberships', index, 'user'], 'unknown user');
      if (!organizations.has(organization))
        refuse(['memberships', index, 'organization'], 'unknown organization');
    });
    file.clients.forEach((client, index) => {
      // RFC 9700 §4.15: the client's own token (client credentials) would have the same `sub` as this user's.
      if (users.has(client.client_id)) refuse(['clients', index, 'client_id'], 'the id of a user');
      for (const audience of client.exchangeable_audiences) {
        if (!clients.has(audience)) refuse(['clients', index, 'exchangeable_audiences'], 'unknown client');
      }
    });
    const known = { users, organizations, clients };
    file.policies.forEach(({ match }, index) => {
      // A rule with a wrong reference never matches, so it would protect nothing without anyone noticing.
      for (const kind of ['users', 'organizations', 'clients'] as const) {
        for (const id of match[kind] ?? []) {
          if (known[kind].has(id)) continue;
          const isEmail = kind === 'users' && emails.has(id.toLowerCase());
          refuse(['policies', index, 'match', kind], isEmail ? 'an e-mail address: name the id' : 'unknown');
        }
      }
    });
    file.resource_servers.forEach((server, index) => {
      for (const [id, client] of Object.entries(server.clients)) {
        if (!clients.has(id)) refuse(['resource_servers', index, 'clients'], 'unknown client');
        if (client.scopes?.some((scope) => !server.scopes.includes(scope)))
          refuse(['resource_servers', index, 'clients'], 'a scope that the resource server does not have');
      }
    });
  });
export type DirectoryFile = z.output<typeof DirectoryFile>;

/**
 * Writes the content of the file to the directory. In a shared store this happens once for each content of the file, so
 * that a restart or another replica does not revert later changes. Entries that are not in the file remain.
 */
export async function seedDirectory(
  directory: Directory,
  file: DirectoryFile,
  clock: () => Date,
  hash = hashPassword,
): Promise<void> {
  const at = epochSeconds(clock());
  const digest = createHash('sha256').update(JSON.stringify(file)).digest('base64url');
  if (!(await directory.seeds.add(digest, { at }))) return;

  const idByEmail = new Map<string, UserId>();
  for (const { id, email, email_verified, name, password, groups, disabled } of file.users) {
    idByEmail.set(email, id);
    const passwordHash = password === undefined ? undefined : await hash(password);
    const user = { id, email, emailVerified: email_verified, name, passwordHash, groups, disabled };
    await directory.users.put(id, user);
  }
  for (const { id, name, external_id } of file.organizations) {
    await directory.organizations.put(id, { id, name, externalId: external_id, createdAt: at });
    if (external_id !== undefined)
      await directory.claimed.put(`external_id:${external_id}`, { organizationId: id });
  }
  for (const [index, { user, organization, role }] of file.memberships.entries()) {
    const userId = idByEmail.get(user.toLowerCase()) ?? UserId.parse(user);
    await directory.memberships.put(membershipId(userId, organization), {
      userId,
      organizationId: organization,
      role,
      createdAt: at + index, // keeps the order of the file
    });
  }
  for (const entry of file.clients) await directory.clients.put(entry.client_id, toClient(entry));
  for (const entry of file.resource_servers)
    await directory.resourceServers.put(entry.resource, toResourceServer(entry));
  for (const entry of file.policies)
    await directory.policies.put(entry.id ?? '', toPolicy(entry, entry.id ?? ''));
}
