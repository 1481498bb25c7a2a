/** Why a user who has signed in may not go on, by the code of the problem */
const KEPT_OUT: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  sign_in_declined: {
    title: 'You are not signed in',
    text: 'The sign-in was cancelled, or your identity provider does not let you sign in here.',
  },
  organization_id_required: {
    title: 'Your sign-in names no organization',
    text: 'Tools belong to organizations. Ask an administrator to add your account to yours, or use another account.',
  },
  organization_suspended: {
    title: 'Your organization is suspended',
    text: 'Nobody can work with it at the moment. An owner can reactivate it.',
  },
  membership_revoked: {
    title: 'You are not a member any more',
    text: 'Your membership of this organization has ended or is deactivated. Ask its administrator if that is not right.',
  },
  client_of_another_organization: {
    title: 'This application belongs to another organization',
    text: 'Only members of that organization can use it. Use another account if you have one there.',
  },
  agent_unauthenticated: {
    title: 'Your organization has not admitted this application',
    text: 'Only applications that an administrator has bound to an agent may call its tools. Ask them to bind this one.',
  },
  agent_inactive: {
    title: 'This application is switched off',
    text: 'It is an agent of your organization that is not active. Ask an administrator.',
  },
  agent_unknown: {
    title: 'This application is no agent any more',
    text: 'It was bound to an agent that your organization does not have. Ask an administrator.',
  },
};
const KEPT_OUT_OTHERWISE = {
  title: 'You cannot go on with this account',
  text: 'Your organization does not let it act here. Ask its administrator, or use another account.',
};

/** @param claims of the ID token, which are at fault: names alone */
export function keptOutText(code: string, claims: readonly string[] = []) {
  if (code !== 'token_invalid') return KEPT_OUT[code] ?? KEPT_OUT_OTHERWISE;
  const which = claims.length === 0 ? '' : ` At fault: ${claims.map((name) => `"${name}"`).join(', ')}.`;
  return {
    title: 'Your sign-in cannot be used here',
    text: `You have signed in, but what your identity provider writes about you is incomplete or malformed.${which} Tell an administrator of the identity provider; another sign-in does not help.`,
  };
}
