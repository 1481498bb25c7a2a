import type { UserId } from '@legate/ids';
import { clientDenied } from '../../callers/standing/problems.ts';
import type { Change } from '../../changes/change.ts';
import type { Credential } from '../../domain/credential.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { Consent, Decision } from './consent.ts';
import { forgetConsent, lockConsents, saveConsent } from './store.ts';

/** More applications than anyone uses, and few enough that one member cannot fill the document of the hub */
export const MAX_CONSENTS = 50;

export interface WantedConsent {
  readonly userId: UserId;
  /** The application that is decided about */
  readonly clientId: string;
  readonly decision: Decision;
  /** How the user authenticated: with another application, or by a sign-in at our own pages */
  readonly by: Pick<Credential, 'kind' | 'clientId'>;
}

/** Saves the decision of a user about an application, and records it where it is new. */
export type DecideConsent = (change: Change, wanted: WantedConsent) => Promise<Consent>;

/**
 * @throws {Problem} 403 `consent_denied` for an application that was denied, which could otherwise undo that; 409
 * `client_unknown` for an approval by a token that names no application: it may be from the one that was denied
 */
export function createDecideConsent(deps: { clock: () => Date }): DecideConsent {
  return async (change, { userId, clientId, decision, by }) => {
    const own = await lockConsents(change, userId);
    const isDenied = (id: string | null) =>
      own.some(({ client_id, decision: decided }) => client_id === id && decided === 'deny');
    if (by.kind !== 'session') {
      if (isDenied(by.clientId)) throw clientDenied();
      if (by.clientId === null && decision === 'approve') throw clientUnknown();
    }
    const before = own.find(({ client_id }) => client_id === clientId);
    if (before?.decision === decision) return before;
    if (!before && own.length >= MAX_CONSENTS) await makeRoom(change, userId, own);
    const consent = await saveConsent(change, userId, { client_id: clientId, decision }, deps.clock());
    await recordDecision(change, decision, clientId);
    return consent;
  };
}

/** @param clientId null: the token did not name it */
export async function recordDecision(
  change: Pick<Change, 'organizationId' | 'record'>,
  decision: Decision,
  clientId: string | null,
): Promise<void> {
  await change.record({
    action: decision === 'deny' ? 'organization.consent_denied' : 'organization.consent_given',
    targets: [{ type: 'organization', id: change.organizationId, name: null }],
    details: { client_id: clientId },
  });
}

export const clientUnknown = () =>
  problem('client_unknown', { detail: 'Your token does not name the application that it was issued to.' });

/** Deletes the oldest approval, which allows nothing that is not allowed without it. Never deletes a denial. */
async function makeRoom(change: Change, userId: UserId, own: readonly Consent[]): Promise<void> {
  const oldest = own.find(({ decision }) => decision === 'approve');
  if (oldest) return forgetConsent(change, userId, oldest.client_id);
  throw problem('quota_exceeded', {
    detail: `You have denied ${MAX_CONSENTS} applications, which is the maximum. Allow one first.`,
  });
}
