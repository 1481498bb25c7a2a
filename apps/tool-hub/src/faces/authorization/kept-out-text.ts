import { type PageText, pageTextOf } from '../../domain/problem-codes.ts';

/** Reasons why a user who has signed in may not continue, besides the problems of the API */
const ONLY_HERE: Readonly<Record<string, PageText>> = {
  sign_in_declined: {
    title: 'You are not signed in',
    text: 'The sign-in was cancelled, or your identity provider does not let you sign in here.',
  },
  client_of_another_organization: {
    title: 'This application belongs to another organization',
    text: 'Only members of that organization can use it. Use another account if you have one there.',
  },
};
const OTHERWISE: PageText = {
  title: 'You cannot continue with this account',
  text: 'Your organization does not allow this account to be used here. Ask its administrator, or use another account.',
};

/** @param claims names of the claims of the ID token that are at fault */
export function keptOutText(code: string, claims: readonly string[] = []): PageText {
  if (code !== 'token_invalid') return pageTextOf(code) ?? ONLY_HERE[code] ?? OTHERWISE;
  const which =
    claims.length === 0 ? '' : ` Claims at fault: ${claims.map((name) => `"${name}"`).join(', ')}.`;
  return {
    title: 'Your sign-in cannot be used here',
    text: `You have signed in, but the data from your identity provider is incomplete or malformed.${which} Report this to an administrator of the identity provider. Signing in again does not help.`,
  };
}
