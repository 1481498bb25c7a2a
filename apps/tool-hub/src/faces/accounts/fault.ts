/** Why a browser flow cannot continue. The page shows a fixed text for each; the reason is for the log. */
export class ConnectFault extends Error {
  override readonly name = 'ConnectFault';
  constructor(
    readonly code: ConnectFaultCode,
    readonly reason: string,
    options?: { cause?: unknown },
  ) {
    super(`${code}: ${reason}`, options);
  }
}

export type ConnectFaultCode = keyof typeof CONNECT_FAULTS;

export const CONNECT_FAULTS = {
  link_expired: {
    status: 400,
    title: 'This link is no longer valid',
    text: 'It works once, and for a short time. Go back to your application and connect again.',
  },
  other_browser: {
    status: 400,
    title: 'This was begun elsewhere',
    text: 'It must be finished in the browser in which it was begun, within ten minutes. Go back to your application and connect again.',
  },
  other_user: {
    status: 403,
    title: 'This link is for somebody else',
    text: 'You are signed in as another user than the one this link was made for. If somebody sent it to you, do not go on: your account would have been connected to theirs.',
  },
  sign_in_failed: {
    status: 502,
    title: 'You could not be signed in',
    text: 'Your identity provider did not confirm who you are. Go back to your application and try again.',
  },
  not_possible: {
    status: 502,
    title: 'This cannot be connected',
    text: 'The tool server, or how it is registered here, is at fault. An administrator must look at it.',
  },
  no_longer_allowed: {
    status: 403,
    title: 'This can no longer be connected',
    text: 'Your organization has changed it, or taken it away, while you were connecting.',
  },
  nothing_here: {
    status: 403,
    title: 'There is nothing to connect here',
    text: 'Your organization has no tool server at this address that you connect with an account of your own, or you are signed in as somebody who may not use it.',
  },
  not_navigated: {
    status: 403,
    title: 'This cannot be part of another page',
    text: 'Another page asked for it, as a picture or a frame. Open it in a window of its own.',
  },
  too_many: {
    status: 429,
    title: 'Too many attempts',
    text: 'Wait a minute, then try again.',
  },
  unavailable: {
    status: 503,
    title: 'Not at the moment',
    text: 'A service that is needed does not answer. Go back to your application and try again in a minute.',
  },
} as const;
