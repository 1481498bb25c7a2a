import { pageOf } from '@legate/pagination';
import { validationFailed } from '@legate/service';
import type { Standings } from '../../callers/standing/standings.ts';
import { ok } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { json } from '../../http/api/request-body.ts';
import type { Platform } from '../../platform/platform.ts';
import { ClientId, Consent, ListConsents, PutConsent } from './consent.ts';
import { createDecideConsent, type DecideConsent } from './decide.ts';
import { listConsents } from './store.ts';

/** Returns the operations on the caller's decisions about applications, and `decide`, which onboarding uses too. */
export function openConsents(
  { tenants, clock }: Platform,
  standings: Standings,
): { readonly decide: DecideConsent; readonly operations: Operation[] } {
  const decide = createDecideConsent({ clock });
  const operations = [
    operation('listConsents', 'get', '/me/consents', {
      tag: 'Caller',
      summary: 'List your decisions about applications',
      description:
        'Sorted by `client_id`. An application that is not listed is allowed, like an approved one.',
      access: 'members:read',
      isForPeople: true,
      noStore: 'private',
      query: ListConsents,
      responses: { 200: { description: 'A page of decisions', schema: pageOf(Consent) } },
      handle: async ({ organizationId, caller, query }) =>
        ok(await listConsents(tenants, organizationId, caller.subject, query)),
    }),
    operation('putConsent', 'put', '/me/consents/{client_id}', {
      tag: 'Caller',
      summary: 'Allow or deny an application to act for you',
      description:
        'Requests that a denied application sends for you are refused: by this API within a second, by the hub within 30 seconds. The application cannot allow itself again: use another application, or sign in on the onboarding pages. Idempotent.',
      access: 'members:read',
      isForPeople: true,
      // Any role may decide for itself, but not with a token that is limited to reading.
      tokenScope: 'members:write',
      isSecurity: denies,
      noStore: 'private',
      body: json(PutConsent),
      responses: { 200: { description: 'Your decision', schema: Consent } },
      problems: { 409: ['client_unknown', 'quota_exceeded'] },
      handle: async ({ params, body, caller, organizationId, makeChange }) => {
        const clientId = readClientId(params.client_id);
        const { subject: userId, credential: by } = caller;
        const consent = await makeChange((change) =>
          decide(change, { userId, clientId, decision: body.decision, by }),
        );
        standings.forget(organizationId, userId);
        return ok(consent);
      },
    }),
  ];
  return { decide, operations };
}

/** Returns true for a request body that denies an application. */
const denies = (sent: unknown): boolean =>
  typeof sent === 'object' && sent !== null && Reflect.get(sent, 'decision') === 'deny';

/** @throws {Problem} 400 */
function readClientId(text: string): string {
  const parsed = ClientId.safeParse(text);
  if (parsed.success) return parsed.data;
  throw validationFailed([
    {
      parameter: 'client_id',
      code: 'invalid_format',
      detail: 'Must be 1 to 255 characters, without control characters.',
    },
  ]);
}
