import { randomUUID } from 'node:crypto';
import { UserId } from '@legate/ids';
import { parseBody } from '@legate/service';
import { Router } from 'express';
import { z } from 'zod';
import type { Directory } from '../directory/directory.ts';
import type { User } from '../directory/model.ts';
import { hashPassword } from '../directory/password.ts';
import { UserEntry } from '../directory/wire.ts';
import { problem } from './problem-codes.ts';

/**
 * @param deps.notifySignedOut notifies the clients that a user's sign-ins have ended, and logs each client that cannot
 * be reached
 */
export function userRoutes(deps: {
  directory: Directory;
  notifySignedOut: (userId: string) => Promise<void>;
}): Router {
  const { directory, notifySignedOut } = deps;
  const router = Router();

  router.post('/users', async (req, res) => {
    const entry = parseBody(UserEntry, req.body);
    if (entry.id !== undefined && (await directory.clients.find(entry.id)))
      throw problem('user_exists', {
        detail: 'A client has this id. Users and clients need different ids, since both are used as `sub`.',
      });
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
    res.json(userView(await directory.existingUser(req.params.user)));
  });
  router.patch('/users/:user', async (req, res) => {
    const change = parseBody(UserChange, req.body);
    const user = await directory.existingUser(req.params.user);
    const changed: User = {
      ...user,
      disabled: change.disabled ?? user.disabled,
      name: change.name ?? user.name,
      groups: change.groups ?? user.groups,
    };
    await directory.users.put(user.id, changed);
    if (changed.disabled && !user.disabled) await notifySignedOut(user.id);
    res.json(userView(changed));
  });
  return router;
}

const UserChange = z.strictObject({
  disabled: z.boolean().optional(),
  name: z.string().trim().min(1).max(200).optional(),
  groups: z.array(z.string().min(1).max(255)).max(100).optional(),
});

const userView = ({ id, email, emailVerified, name, groups, disabled }: User) => ({
  id,
  email,
  email_verified: emailVerified,
  name,
  groups,
  disabled,
});
