import { randomUUID } from 'node:crypto';
import { OrganizationId, UserId } from '@legate/ids';
import { epochSeconds, type SigningKeys } from '@legate/jwt';
import {
  type Logger,
  notFound,
  parseBody,
  problemHandler,
  unmatchedRoute,
  validationFailed,
} from '@legate/service';
import express, { Router } from 'express';
import { z } from 'zod';
import { type Directory, membershipId } from '../directory/directory.ts';
import type { Client, Organization, Policy, User } from '../directory/model.ts';
import { hashPassword } from '../directory/password.ts';
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
} from '../directory/wire.ts';
import { requireAdminKey } from './authentication.ts';
import { createIdTokenMint, IdTokenRequest } from './id-token.ts';
import { createOrganizationService } from './organizations.ts';
import { problem } from './problem-codes.ts';
import { storeProblem } from './store-problem.ts';

/**
 * The admin API: how the management API creates organizations, and how tests arrange a scene. Secrets and passwords go in
 * and never come out.
 */
export function createAdminRouter(deps: {
  adminApiKey: string;
  directory: Directory;
  issuer: string;
  keys: SigningKeys;
  clock: () => Date;
  idTokenTtlSeconds: number;
  /** @throws {Error} whose message says what oidc-provider finds wrong with a client */
  checkClient: (client: Client) => Promise<void>;
  /** Tells the clients that a user's sign-ins have ended; one that cannot be reached is logged. */
  tellSignedOut: (userId: string) => Promise<void>;
  /** Makes a new key sign. @returns its `kid`; undefined where other processes would not know of it */
  rotateKeys: (() => Promise<string>) | undefined;
  log: Logger;
}): Router {
  const { directory, clock } = deps;
  const organizations = createOrganizationService({ directory, clock });
  const mintIdToken = createIdTokenMint(deps);
  const router = Router();
  router.use(requireAdminKey(deps.adminApiKey), express.json({ limit: '100kb' }));
  router.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });

  router.post('/organizations', async (req, res) => {
    const key = req.get('Idempotency-Key');
    if (key !== undefined && (key === '' || key.length > 255))
      throw validationFailed([
        { header: 'Idempotency-Key', code: 'invalid_format', detail: 'Must have 1 to 255 characters.' },
      ]);
    const { organization, created } = await organizations.create(parseBody(OrganizationEntry, req.body), key);
    res.status(created ? 201 : 200).json(organizationView(organization));
  });
  router.get('/organizations', async (req, res) => {
    const { external_id: externalId } = parseBody(OrganizationSearch, req.query);
    const found =
      externalId === undefined
        ? await directory.organizations.list()
        : await organizations.listByExternalId(externalId);
    res.json({ data: found.map(organizationView) });
  });
  router.get('/organizations/:id', async (req, res) => {
    res.json(organizationView(await organizations.find(req.params.id)));
  });

  router.post('/memberships', async (req, res) => {
    const entry = parseBody(MembershipEntry, req.body);
    const user = await findUser(entry.user);
    const organization = await organizations.find(entry.organization);
    const existing = await directory.findMembership(user.id, organization.id);
    const membership = {
      userId: user.id,
      organizationId: organization.id,
      role: entry.role,
      createdAt: existing?.createdAt ?? epochSeconds(clock()),
    };
    await directory.memberships.put(membershipId(user.id, organization.id), membership);
    res.status(existing ? 200 : 201).json({ user: user.id, organization: organization.id, role: entry.role });
  });
  router.delete('/memberships', async (req, res) => {
    const { user: name, organization } = parseBody(
      z.object({ user: z.string(), organization: OrganizationId }),
      req.query,
    );
    const user = await findUser(name);
    if (!(await directory.memberships.remove(membershipId(user.id, organization)))) throw notFound();
    res.status(204).end();
  });

  router.post('/users', async (req, res) => {
    const entry = parseBody(UserEntry, req.body);
    if (entry.id !== undefined && (await directory.clients.find(entry.id)))
      throw problem('user_exists', { detail: 'A client has this id, and both are a `sub`.' });
    if (await directory.findUser(entry.email))
      throw problem('user_exists', { detail: 'This e-mail address is taken.' });
    const user: User = {
      id: entry.id ?? UserId.parse(`user_${randomUUID().replaceAll('-', '')}`),
      email: entry.email,
      emailVerified: entry.email_verified,
      name: entry.name,
      ...(entry.password !== undefined && { passwordHash: await hashPassword(entry.password) }),
      groups: entry.groups,
      disabled: entry.disabled,
    };
    if (!(await directory.users.add(user.id, user)))
      throw problem('user_exists', { detail: 'This id is taken.' });
    res.status(201).json(userView(user));
  });
  router.get('/users', async (_req, res) => {
    res.json({ data: (await directory.users.list()).map(userView) });
  });
  router.get('/users/:user', async (req, res) => {
    res.json(userView(await findUser(req.params.user)));
  });
  router.patch('/users/:user', async (req, res) => {
    const change = parseBody(UserChange, req.body);
    const user = await findUser(req.params.user);
    const changed: User = {
      ...user,
      disabled: change.disabled ?? user.disabled,
      name: change.name ?? user.name,
      groups: change.groups ?? user.groups,
    };
    await directory.users.put(user.id, changed);
    if (changed.disabled && !user.disabled) await deps.tellSignedOut(user.id);
    res.json(userView(changed));
  });

  router.post('/clients', async (req, res) => {
    const client = toClient(parseBody(ClientEntry, req.body));
    await deps.checkClient(client).catch((cause: unknown) => {
      throw problem('validation_failed', {
        detail: 'The redirect URIs, grant types or keys do not fit together.',
        cause,
      });
    });
    // RFC 9700 §4.15: its client credentials token would have the `sub` of that user.
    if (await directory.users.find(client.clientId))
      throw problem('client_exists', { detail: 'A user has this id, and both are a `sub`.' });
    if (!(await directory.clients.add(client.clientId, client)))
      throw problem('client_exists', { detail: 'This client_id is taken.' });
    res.status(201).json({ client_id: client.clientId, name: client.name, public: client.isPublic });
  });

  router.post('/resource-servers', async (req, res) => {
    const server = toResourceServer(parseBody(ResourceServerEntry, req.body));
    if (!(await directory.resourceServers.add(server.resource, server)))
      throw problem('resource_server_exists', { detail: 'This resource is registered.' });
    res.status(201).json({ resource: server.resource, accepts: server.accepts, scopes: server.scopes });
  });

  router.get('/policies', async (_req, res) => {
    res.json({ data: (await directory.policies.list()).map(policyView) });
  });
  router.post('/policies', async (req, res) => {
    const entry = parseBody(PolicyEntry, req.body);
    const policy = toPolicy(entry, entry.id ?? `policy_${randomUUID().replaceAll('-', '')}`);
    if (!(await directory.policies.add(policy.id, policy)))
      throw problem('policy_exists', { detail: 'This id is taken.' });
    res.status(201).json(policyView(policy));
  });
  router.delete('/policies/:id', async (req, res) => {
    if (!(await directory.policies.remove(req.params.id))) throw notFound();
    res.status(204).end();
  });

  router.post('/keys/rotate', async (_req, res) => {
    if (!deps.rotateKeys)
      throw problem('signing_keys_shared', {
        detail:
          'Processes that share Redis would not know a key that this one makes, and refuse what it signs. Put the new key ' +
          'into SIGNING_KEYS of all: behind the old one, and ten minutes later in front (docs/operations/rotation.md).',
      });
    const kid = await deps.rotateKeys();
    deps.log.info({ kid }, 'signing key rotated');
    res.json({ kid });
  });

  router.post('/id-tokens', async (req, res) => {
    const request = parseBody(IdTokenRequest, req.body);
    const { idToken, expiresIn } = await mintIdToken(request);
    res.status(201).json({ id_token: idToken, expires_in: expiresIn });
  });

  router.use(
    unmatchedRoute,
    storeProblem,
    problemHandler({ log: deps.log, typeBase: `${deps.issuer}/errors` }),
  );
  return router;

  async function findUser(idOrEmail: string): Promise<User> {
    const user = await directory.findUser(idOrEmail);
    if (!user) throw notFound('No such user.');
    return user;
  }
}

/** Given twice it is a fault: to take it for absent would answer with every organization there is. */
const OrganizationSearch = z.object({ external_id: z.string().optional() });

const UserChange = z.strictObject({
  disabled: z.boolean().optional(),
  name: z.string().trim().min(1).max(200).optional(),
  groups: z.array(z.string().min(1).max(255)).max(100).optional(),
});

const organizationView = ({ id, name, externalId, createdAt }: Organization) => ({
  id,
  name,
  external_id: externalId ?? null,
  created_at: new Date(createdAt * 1000).toISOString(),
});

const userView = ({ id, email, emailVerified, name, groups, disabled }: User) => ({
  id,
  email,
  email_verified: emailVerified,
  name,
  groups,
  disabled,
});

const policyView = (policy: Policy) => policy;
