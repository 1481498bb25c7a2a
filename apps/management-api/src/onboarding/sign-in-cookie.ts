import type { EncryptionKeys } from '@legate/secure-store';
import { createSealedCookie, type SealedCookie } from './sealed-cookie.ts';
import { PendingSignIn, SIGN_IN_SECONDS } from './sign-in.ts';

export type SignInCookie = SealedCookie<PendingSignIn>;

export const createSignInCookie = (options: { keys: EncryptionKeys; secure: boolean }): SignInCookie =>
  createSealedCookie({ ...options, name: 'oauth', schema: PendingSignIn, maxAgeSeconds: SIGN_IN_SECONDS });
