/** Reason why a browser cannot continue. The page shows a fixed text for each code; `reason` is for the log. */
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
    text: 'A link works only once and for a short time. Go back to your application and connect again.',
  },
  other_browser: {
    status: 400,
    title: 'You started this in another browser',
    text: 'Finish it in the browser in which you started, within ten minutes. Go back to your application and connect again.',
  },
  other_user: {
    status: 403,
    title: 'This link is for somebody else',
    text: 'The link was made for another user than the one you are signed in as. If somebody sent it to you, do not continue: your account would have been connected to theirs.',
  },
  unknown_client: {
    status: 400,
    title: 'Unknown application',
    text: 'The application is not registered, or the document that describes it cannot be used. You have not been signed in. Ask the people who run the application.',
  },
  wrong_redirect: {
    status: 400,
    title: 'This application sends you to a wrong address',
    text: 'The address to which it asked us to send you back is not registered for it, so we stopped here. You have not been signed in. Ask the people who run the application.',
  },
  bad_request: {
    status: 400,
    title: 'Invalid request',
    text: 'The application sent you here with an invalid request. You have not been signed in. Ask the people who run the application.',
  },
  expired: {
    status: 400,
    title: 'This sign-in is no longer valid',
    text: 'You must finish signing in within ten minutes, in the browser in which you started. Go back to your application and sign in again.',
  },
  sent_elsewhere: {
    status: 403,
    title: 'This form came from another website',
    text: 'We accept forms only from our own pages. You have not allowed anything.',
  },
  sign_in_failed: {
    status: 502,
    title: 'You could not be signed in',
    text: 'Your identity provider did not confirm who you are. Go back to your application and try again.',
  },
  not_possible: {
    status: 502,
    title: 'This cannot be connected',
    text: 'The tool server, or its configuration here, is at fault. An administrator must fix it.',
  },
  no_longer_allowed: {
    status: 403,
    title: 'This can no longer be connected',
    text: 'Your organization changed or removed this tool server while you were connecting.',
  },
  nothing_here: {
    status: 403,
    title: 'There is nothing to connect here',
    text: 'Your organization has no tool server here that you could connect with your own account, or you are signed in as a user who may not use it.',
  },
  not_navigated: {
    status: 403,
    title: 'This page cannot be part of another page',
    text: 'Another page requested it as an image or in a frame. Go back to your application, and open it in its own window.',
  },
  too_many: {
    status: 429,
    title: 'Too many attempts',
    text: 'Wait a minute, then try again.',
  },
  unavailable: {
    status: 503,
    title: 'Currently unavailable',
    text: 'A service that is needed for this does not respond. Go back to your application and try again in a minute.',
  },
} as const;
