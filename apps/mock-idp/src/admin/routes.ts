import { randomUUID } from 'node:crypto';
import type { SigningKeys } from '@legate/jwt';
import {
  inOnePiece,
  type Logger,
  notFound,
  parseBody,
  problemHandler,
  unmatchedRoute,
} from '@legate/service';
import express, { Router } from 'express';
import type { Directory } from '../directory/directory.ts';
import type { Client } from '../directory/model.ts';
import { PolicyEntry, toPolicy } from '../directory/wire.ts';
import type { ApiAccess } from '../openid/api-access.ts';
import type { TokenRules } from '../personalities/tokens.ts';
import { requireAdminKey } from './authentication.ts';
import { clientRoutes } from './client-routes.ts';
import { organizationRoutes } from './organization-routes.ts';
import { problem } from './problem-codes.ts';
import { storeProblem } from './store-problem.ts';
import { tokenRoutes } from './token-routes.ts';
import { userRoutes } from './user-routes.ts';

const MAX_BYTES = 102_400;

/**
 * The admin API: the management API creates organizations with it, and tests set up their data. Responses contain no
 * secrets or passwords.
 */
export function createAdminRouter(deps: {
  adminApiKey: string;
  directory: Directory;
  apiAccess: ApiAccess;
  rules: TokenRules;
  issuer: string;
  /** Origin that serves the pages that explain problems */
  origin: string;
  keys: SigningKeys;
  clock: () => Date;
  idTokenTtlSeconds: number;
  /** @throws {Error} if oidc-provider rejects the client; the message names the fault */
  checkClient: (client: Client) => Promise<void>;
  /** Notifies the clients that a user's sign-ins have ended, and logs each client that cannot be reached. */
  notifySignedOut: (userId: string) => Promise<void>;
  /** Creates a new signing key. @returns its `kid`; undefined if other processes would not learn of the key */
  rotateKeys: (() => Promise<string>) | undefined;
  log: Logger;
}): Router {
  const { directory, clock } = deps;
  const router = Router();
  router.use(requireAdminKey(deps.adminApiKey), inOnePiece(MAX_BYTES, express.json({ limit: MAX_BYTES })));
  router.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });

  router.use(
    organizationRoutes({ directory, clock }),
    userRoutes({ directory, notifySignedOut: deps.notifySignedOut }),
    clientRoutes({ directory, checkClient: deps.checkClient }),
    tokenRoutes({
      directory,
      apiAccess: deps.apiAccess,
      rules: deps.rules,
      issuer: deps.issuer,
      keys: deps.keys,
      clock,
      idTokenTtlSeconds: deps.idTokenTtlSeconds,
    }),
  );

  router.get('/policies', async (_req, res) => {
    res.json({ data: await directory.policies.list() });
  });
  router.post('/policies', async (req, res) => {
    const entry = parseBody(PolicyEntry, req.body);
    const policy = toPolicy(entry, entry.id ?? `policy_${randomUUID().replaceAll('-', '')}`);
    if (!(await directory.policies.add(policy.id, policy)))
      throw problem('policy_exists', { detail: 'This id is taken.' });
    res.status(201).json(policy);
  });
  router.delete('/policies/:id', async (req, res) => {
    if (!(await directory.policies.remove(req.params.id))) throw notFound();
    res.status(204).end();
  });

  router.post('/keys/rotate', async (_req, res) => {
    if (!deps.rotateKeys)
      throw problem('signing_keys_shared', {
        detail:
          'The processes share Redis, and the others would refuse what a key of this process signs. Add the new key to ' +
          'SIGNING_KEYS of all, after the old one; ten minutes later, move it to the front (docs/operations/rotation.md).',
      });
    const kid = await deps.rotateKeys();
    deps.log.info({ kid }, 'signing key rotated');
    res.json({ kid });
  });

  router.use(
    unmatchedRoute,
    storeProblem,
    problemHandler({ log: deps.log, typeBase: `${deps.origin}/errors` }),
  );
  return router;
}
