import type { EncryptionKeys } from '@legate/secure-store';
import type { Request } from 'express';
import { z } from 'zod';
import { OnboardingSessionId } from '../../domain/ids.ts';
import { createSealedCookie, type SealedCookie } from './sealed-cookie.ts';

const InvitationInBrowser = z.union([
  /** The token of the link that this browser has opened: kept here, so that no later URL contains it */
  z.strictObject({ token: z.string() }),
  /** The outcome of the invitation, for the pages of the session */
  z.strictObject({ sessionId: OnboardingSessionId, notice: z.string() }),
]);
export type InvitationCookie = SealedCookie<z.output<typeof InvitationInBrowser>>;

/** Lifetime of the cookie: that of a session */
const MAX_AGE_SECONDS = 30 * 60;

export const createInvitationCookie = (options: {
  keys: EncryptionKeys;
  secure: boolean;
}): InvitationCookie =>
  createSealedCookie({
    ...options,
    name: 'invitation',
    schema: InvitationInBrowser,
    maxAgeSeconds: MAX_AGE_SECONDS,
  });

/** Returns the token of the link that a browser has opened. */
export function tokenIn(cookie: InvitationCookie, req: Request): string | undefined {
  const kept = cookie.read(req);
  return kept && 'token' in kept ? kept.token : undefined;
}
