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
    .describe('The authorization server that a connector would be pinned to'),
});

const AddressReport = z
  .strictObject({ resource_url: z.string(), ...report })
  .describe('Without the checks that need a user')
  .meta({ id: 'AddressReport' });

/** Examines a tool server by its address. */
export type AddressDoctor = (url: string, issuer: string | undefined) => Promise<Report>;

/** @param deps.fetch the guarded client's, because the address is anybody's */
export const createAddressDoctor =
  (deps: Parameters<typeof examine>[1]): AddressDoctor =>
  (url, issuer) =>
    examine({ ...targetOf(url), issuer }, deps, []); // no checks that need a user: nothing is registered there yet

/**
 * `POST /doctor`: what a hub would meet at an address that is no connector yet. It lets the caller learn what this
 * network reaches, so it is for administrators, and recorded.
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
      summary: 'Examine a tool server that is no connector yet',
      description: 'For administrators of the organization.',
      access: 'user',
      body: json(AddressBody),
      responses: { 200: { description: 'What was found', schema: AddressReport } },
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
