/** Why a browser cannot continue. The page shows a fixed text for each code; the reason is for the log. */
export class PageFault extends Error {
  override readonly name = 'PageFault';
  constructor(
    readonly code: PageFaultCode,
    readonly reason: string,
    options?: { cause?: unknown },
  ) {
    super(`${code}: ${reason}`, options);
  }
}

export type PageFaultCode = keyof typeof PAGE_FAULTS;

export const PAGE_FAULTS = {
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
    text: 'Another page asked for it, as a picture or a frame. Go back to your application, and open it in a window of its own.',
  },
  too_many: {
    status: 429,
    title: 'Too many attempts',
    text: 'There have been too many within a minute. Wait a minute, then try again.',
  },
  unavailable: {
    status: 503,
    title: 'Not at the moment',
    text: 'A service that is needed does not answer. Go back to your application and try again in a minute.',
  },
} as const;
