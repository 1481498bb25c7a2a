import type { Directory } from '../directory/directory.ts';
import type { User } from '../directory/model.ts';
import { verifyPassword } from '../directory/password.ts';
import type { Account, SignInAttempts } from './attempts.ts';

export type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly user: User }
  /** Wrong password, or an unknown or disabled user: the response does not reveal which */
  | { readonly kind: 'wrong' }
  | { readonly kind: 'too_many' };

export type SignIn = (interactionId: string, account: Account, password: string) => Promise<SignInOutcome>;

export function createSignIn(deps: { directory: Directory; attempts: SignInAttempts }): SignIn {
  return async (interactionId, account, password) => {
    const { email } = account;
    if (!(await deps.attempts.take(interactionId, account))) return { kind: 'too_many' };
    const user = email.includes('@') ? await deps.directory.findUser(email) : undefined;
    const matches = await verifyPassword(password, user?.passwordHash);
    if (!user || !matches || user.disabled) return { kind: 'wrong' };
    await deps.attempts.forget(account);
    return { kind: 'signed_in', user };
  };
}
