import { z } from 'zod';
import { findOrganization, roleOf } from '../../callers/admission/admission.ts';
import { ROLES, scopesFor } from '../../domain/rights.ts';
import { ok } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';

const Me = z
  .strictObject({
    user: z.strictObject({
      type: z.enum(['user', 'service_account']),
      id: z.string(),
      email: z.string().nullable(),
      name: z.string().nullable(),
    }),
    organization: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
    role: z.enum(ROLES).nullable(),
    scopes: z.array(z.string()),
  })
  .meta({ id: 'Me', description: 'The caller and their permissions.' });

export const meOperation = (): Operation =>
  operation('getMe', 'get', '/me', {
    tag: 'Caller',
    summary: 'Get the caller and their permissions',
    description: 'Also for a token without an organization: `organization` and `role` are then null.',
    access: 'any-token',
    whileSuspended: 'admin',
    responses: { 200: { description: 'The caller, with their organization, role and scopes', schema: Me } },
    handle: ({ caller, res }) => {
      const { subject, email, name, scope, serviceAccount, looksLike } = caller;
      const type = serviceAccount || looksLike === 'machine' ? 'service_account' : 'user';
      const organization = findOrganization(res);
      return ok({
        user: { type, id: subject, email: email ?? null, name: name ?? null },
        organization: organization ? { id: organization.id, name: organization.name } : null,
        role: organization ? roleOf(res) : null,
        scopes: organization ? [...scopesFor(roleOf(res), scope)] : [],
      });
    },
  });
