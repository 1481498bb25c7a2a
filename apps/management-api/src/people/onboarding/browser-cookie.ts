import { randomBytes } from 'node:crypto';
import type { EncryptionKeys } from '@legate/secure-store';
import { z } from 'zod';
import { OnboardingSessionId } from '../../domain/ids.ts';
import { createSealedCookie, type SealedCookie } from './sealed-cookie.ts';

/** What the browser's cookie says about a sign-in in our pages: its session, and the proof of it. */
const SignedInBrowser = z.strictObject({
  sessionId: OnboardingSessionId,
  userId: z.string().min(1).max(255).brand<'UserId'>(),
  secret: z.string().min(1),
  /** Where the session ends, for a new sign-in after it has expired */
  returnTo: z.string(),
});
export type SignedInBrowser = z.output<typeof SignedInBrowser>;
export type BrowserCookie = SealedCookie<SignedInBrowser>;

/** Life of the cookie: at most that of a session */
const MAX_AGE_SECONDS = 30 * 60;

export const createBrowserCookie = (options: { keys: EncryptionKeys; secure: boolean }): BrowserCookie =>
  createSealedCookie({
    ...options,
    name: 'onboarding',
    schema: SignedInBrowser,
    maxAgeSeconds: MAX_AGE_SECONDS,
  });

export const newBrowserSecret = (): string => randomBytes(32).toString('base64url');
