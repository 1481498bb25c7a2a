import { type PageText, pageTextOf } from '../../domain/problem-codes.ts';

/** Why a user who has signed in may not go on, where that is no problem of the API */
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
  title: 'You cannot go on with this account',
  text: 'Your organization does not let it act here. Ask its administrator, or use another account.',
};

/** @param claims of the ID token, which are at fault: names alone */
export function keptOutText(code: string, claims: readonly string[] = []): PageText {
  if (code !== 'token_invalid') return pageTextOf(code) ?? ONLY_HERE[code] ?? OTHERWISE;
  const which = claims.length === 0 ? '' : ` At fault: ${claims.map((name) => `"${name}"`).join(', ')}.`;
  return {
    title: 'Your sign-in cannot be used here',
    text: `You have signed in, but what your identity provider writes about you is incomplete or malformed.${which} Tell an administrator of the identity provider; another sign-in does not help.`,
  };
}
