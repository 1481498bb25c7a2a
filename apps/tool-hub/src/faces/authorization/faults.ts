/** Why an authorization in a browser cannot continue. The page shows a fixed text for each; the reason is for the log. */
export class AuthorizationFault extends Error {
  override readonly name = 'AuthorizationFault';
  constructor(
    readonly code: AuthorizationFaultCode,
    readonly reason: string,
    options?: { cause?: unknown },
  ) {
    super(`${code}: ${reason}`, options);
  }
}

export type AuthorizationFaultCode = keyof typeof FAULTS;

export const FAULTS = {
  unknown_client: {
    status: 400,
    title: 'This application is not known here',
    text: 'It has not been registered, or the document that describes it cannot be used. You have not been signed in. Ask the people who run the application.',
  },
  wrong_redirect: {
    status: 400,
    title: 'This application asks for an answer elsewhere',
    text: 'The address to which it wants you to be sent back is not one of its own, so you are not sent there. You have not been signed in.',
  },
  bad_request: {
    status: 400,
    title: 'This request cannot be understood',
    text: 'The application made a mistake when it sent you here. You have not been signed in.',
  },
  expired: {
    status: 400,
    title: 'This sign-in is no longer valid',
    text: 'It must be finished within ten minutes, in the browser in which it was begun. Go back to your application and sign in again.',
  },
  sent_elsewhere: {
    status: 403,
    title: 'This was sent by another website',
    text: 'We only take forms from our own pages. Nothing has been allowed.',
  },
  not_navigated: {
    status: 403,
    title: 'This cannot be part of another page',
    text: 'Another page asked for it, as a picture or a frame. Go back to your application and sign in again.',
  },
  too_many: {
    status: 429,
    title: 'Too many sign-ins',
    text: 'There have been too many from your network within a minute. Go back to your application and try again in a minute.',
  },
  sign_in_failed: {
    status: 502,
    title: 'You could not be signed in',
    text: 'Your identity provider did not confirm who you are. Go back to your application and try again.',
  },
  unavailable: {
    status: 503,
    title: 'Not at the moment',
    text: 'A service that is needed does not answer. Go back to your application and try again in a minute.',
  },
} as const;

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
