import { randomBytes } from 'node:crypto';
import type { EncryptionKeys } from '@legate/secure-store';
import { z } from 'zod';
import { OnboardingSessionId } from '../../domain/ids.ts';
import { createSealedCookie, type SealedCookie } from './sealed-cookie.ts';

/** The content of the cookie of a browser that signed in for our pages: its session, and the proof of the sign-in. */
const SignedInBrowser = z.strictObject({
  sessionId: OnboardingSessionId,
  userId: z.string().min(1).max(255).brand<'UserId'>(),
  secret: z.string().min(1),
  /** The page at which the session ends, for a new sign-in after the session has expired */
  returnTo: z.string(),
});
export type SignedInBrowser = z.output<typeof SignedInBrowser>;
export type BrowserCookie = SealedCookie<SignedInBrowser>;

/** Lifetime of the cookie: at most that of a session */
const MAX_AGE_SECONDS = 30 * 60;

export const createBrowserCookie = (options: { keys: EncryptionKeys; secure: boolean }): BrowserCookie =>
  createSealedCookie({
    ...options,
    name: 'onboarding',
    schema: SignedInBrowser,
    maxAgeSeconds: MAX_AGE_SECONDS,
  });

export const newBrowserSecret = (): string => randomBytes(32).toString('base64url');
