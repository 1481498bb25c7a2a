import { randomBytes } from 'node:crypto';
import type { EncryptionKeys } from '@legate/secure-store';
import { z } from 'zod';
import { OnboardingSessionId } from '../domain/ids.ts';
import { createSealedCookie, type SealedCookie } from './sealed-cookie.ts';

/** What a browser keeps of the sign-in that goes on in our pages: which session is its own, and the proof of it. */
const SignedInBrowser = z.strictObject({
  sessionId: OnboardingSessionId,
  userId: z.string().min(1).max(255).brand<'UserId'>(),
  secret: z.string().min(1),
  /** Where the session leads in the end, for a new sign-in after it has expired */
  returnTo: z.string(),
});
export type SignedInBrowser = z.output<typeof SignedInBrowser>;
export type BrowserCookie = SealedCookie<SignedInBrowser>;

/** As long as a session at most */
const MAX_AGE_SECONDS = 30 * 60;

export const createBrowserCookie = (options: { keys: EncryptionKeys; secure: boolean }): BrowserCookie =>
  createSealedCookie({
    ...options,
    name: 'onboarding',
    schema: SignedInBrowser,
    maxAgeSeconds: MAX_AGE_SECONDS,
  });

export const newBrowserSecret = (): string => randomBytes(32).toString('base64url');
