import { examine, isHttpUrl, type Report, targetOf, toWire } from '@legate/doctor';
import type { RateLimiter } from '@legate/rate-limit';
import { issuerUrl, type Logger } from '@legate/service';
import { z } from 'zod';
import type { RecordUserAction } from '../../audit/user-event.ts';
import type { UserRights } from '../../domain/user-rights.ts';
import { limitUser } from '../../limits/per-minute.ts';
import { ok } from '../api/answers.ts';
import { type HubOperation, json, operation } from '../api/operation.ts';
import { notPermitted } from './not-permitted.ts';
import { report } from './report.ts';

const isAddress = (text: string): boolean =>
  isHttpUrl(text) && !text.includes('#') && new URL(text).username + new URL(text).password === '';

const Url = z
  .string()
  .max(2048)
  .refine(isAddress, 'Must be an http or https URL without fragment, name and password.');

const AddressBody = z.strictObject({
  resource_url: Url.describe('The MCP endpoint of a tool server, or its resource identifier'),
  issuer: issuerUrl
    .max(2048)
    .optional()
    .describe('Issuer of the authorization server that the connector would pin'),
});

const AddressReport = z
  .strictObject({ resource_url: z.string(), ...report })
  .describe('A doctor report without the checks that need a user')
  .meta({ id: 'AddressReport' });

/** Examines a tool server by its address. */
export type AddressDoctor = (url: string, issuer: string | undefined) => Promise<Report>;

/** @param deps.fetch of the guarded client, because the caller chooses the address */
export const createAddressDoctor =
  (deps: Parameters<typeof examine>[1]): AddressDoctor =>
  (url, issuer) =>
    examine({ ...targetOf(url), issuer }, deps, []); // no checks that need a user, because the hub is not registered there yet

/**
 * `POST /doctor` examines a tool server that has no connector yet. The response shows which addresses this network can
 * reach, so the operation is for administrators, and is recorded.
 */
export function addressDoctorOperations(deps: {
  examineAddress: AddressDoctor;
  rights: Pick<UserRights, 'isAdministrator'>;
  limiter: RateLimiter;
  recordUserAction: RecordUserAction;
  clock: () => Date;
  log: Logger;
}): HubOperation[] {
  const { examineAddress, limiter, recordUserAction, clock, log } = deps;
  return [
    operation('examineAddress', 'post', '/doctor', {
      summary: 'Examine a tool server that has no connector yet',
      description: 'For administrators of the organization.',
      access: 'user',
      body: json(AddressBody),
      responses: { 200: { description: 'The findings', schema: AddressReport } },
      problems: ['insufficient_permission'],
      handle: async ({ caller, readBody }) => {
        const { organizationId, userId, origin } = caller;
        if (!(await deps.rights.isAdministrator(caller))) throw notPermitted('owner or admin');
        const { resource_url: url, issuer } = readBody();
        await limitUser(limiter, 'examinations', caller);
        const found = await examineAddress(url, issuer);
        const { status, firstFault } = found;
        const fault = firstFault?.check ?? null;
        recordUserAction('delegation.address_examined', {
          organizationId,
          userId,
          requestId: origin?.requestId,
          details: { address: new URL(url).origin, status, fault },
        });
        log.info(
          { action: 'address.examined', organization_id: organizationId, user_id: userId, status, fault },
          'address examined',
        );
        return ok({ resource_url: url, examined_at: clock().toISOString(), ...toWire(found, true) });
      },
    }),
  ];
}
