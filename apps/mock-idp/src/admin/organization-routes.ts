import { OrganizationId } from '@legate/ids';
import { epochSeconds } from '@legate/jwt';
import { notFound, parseBody, validationFailed } from '@legate/service';
import { Router } from 'express';
import { z } from 'zod';
import { type Directory, membershipId } from '../directory/directory.ts';
import type { Organization } from '../directory/model.ts';
import { MembershipEntry, OrganizationEntry } from '../directory/wire.ts';
import { createOrganizationService } from './organizations.ts';

/** `/organizations` and `/memberships` */
export function organizationRoutes(deps: { directory: Directory; clock: () => Date }): Router {
  const { directory, clock } = deps;
  const organizations = createOrganizationService({ directory, clock });
  const router = Router();

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
    const user = await directory.existingUser(entry.user);
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
    const user = await directory.existingUser(name);
    if (!(await directory.memberships.remove(membershipId(user.id, organization)))) throw notFound();
    res.status(204).end();
  });
  return router;
}

/** Refuses a repeated parameter: ignoring it would return every organization. */
const OrganizationSearch = z.object({ external_id: z.string().optional() });

const organizationView = ({ id, name, externalId, createdAt }: Organization) => ({
  id,
  name,
  external_id: externalId ?? null,
  created_at: new Date(createdAt * 1000).toISOString(),
});
