import { type ProblemDeclarations, problemsOf, SERVICE_PROBLEMS } from '@legate/service';

/** The problems of the console itself; problems of the services behind it pass through unchanged. */
export const PROBLEMS = {
  ...SERVICE_PROBLEMS,
  signed_out: {
    status: 401,
    title: 'Signed out',
    meaning: 'There is no session in this browser, or it has ended.',
    remedy: 'Sign in again.',
  },
  request_not_from_console: {
    status: 403,
    title: 'Not a request of the console',
    meaning:
      'The request does not come from a page of the console: another site or program may have sent it.',
    remedy:
      'Send the header `Legate-Console: 1` and, with methods that change something, the Origin of the console.',
  },
  identity_provider_unavailable: {
    status: 503,
    title: 'Identity provider unavailable',
    meaning: 'The session must be renewed, but the identity provider does not respond.',
    remedy: 'Try again. The session continues as soon as the identity provider responds.',
  },
  service_unavailable: {
    status: 503,
    title: 'Service unavailable',
    meaning: 'The service behind the console does not respond.',
    remedy: 'Try again. detail names the service.',
  },
  service_answer_unusable: {
    status: 502,
    title: 'Unusable answer',
    meaning: 'The service behind the console returned a redirect, or more than 4 MiB (16 MiB for an export).',
    remedy: 'Request less, or send the operator the request_id.',
  },
  session_store_unavailable: {
    status: 503,
    title: 'Sessions unavailable',
    meaning: 'The session store cannot be reached.',
    remedy: 'Try again. No session is lost.',
  },
} as const satisfies ProblemDeclarations;

export const problem = problemsOf(PROBLEMS);
export const signedOut = () => problem('signed_out');
