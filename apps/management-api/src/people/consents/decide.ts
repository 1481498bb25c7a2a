import type { UserId } from '@legate/ids';
import { clientDenied } from '../../callers/standing/problems.ts';
import type { Change } from '../../changes/change.ts';
import type { Credential } from '../../domain/credential.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { Consent, Decision } from './consent.ts';
import { forgetConsent, lockConsents, saveConsent } from './store.ts';

/** More applications than anyone uses, and few enough that one member cannot fill the hub's document */
export const MAX_CONSENTS = 50;

export interface WantedConsent {
  readonly userId: UserId;
  /** The application that the decision is about */
  readonly clientId: string;
  readonly decision: Decision;
  /** The credential of the user: a token of another application, or a session of our own pages */
  readonly by: Pick<Credential, 'kind' | 'clientId'>;
}

/** Saves a user's decision about an application, and records it if it changes anything. */
export type DecideConsent = (change: Change, wanted: WantedConsent) => Promise<Consent>;

/**
 * @throws {Problem} 403 `consent_denied` for an application that was denied, which could otherwise lift its denial; 409
 * `client_unknown` for an approval with a token that names no application: it may come from the denied one
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

/** @param clientId null if the token names no application */
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

/** Deletes the oldest approval, which changes no permission. Never deletes a denial. */
async function makeRoom(change: Change, userId: UserId, own: readonly Consent[]): Promise<void> {
  const oldest = own.find(({ decision }) => decision === 'approve');
  if (oldest) return forgetConsent(change, userId, oldest.client_id);
  throw problem('quota_exceeded', {
    detail: `You have denied ${MAX_CONSENTS} applications, which is the maximum. Allow one first.`,
  });
}
