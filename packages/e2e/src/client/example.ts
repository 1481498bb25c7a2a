import { createClient } from '@legate/client';

export async function createNote(hub: string, idToken: () => Promise<string>, text: string): Promise<string> {
  const legate = createClient({ hub, idToken });
  const outcome = await legate.call('reference_create_note', { text });
  switch (outcome.kind) {
    case 'result':
      return outcome.isError ? 'The tool failed.' : 'Created.';
    case 'connection_required': {
      const link = await outcome.connect();
      return link.kind === 'link' ? `Connect your account: ${link.authorizeUrl}` : link.detail;
    }
    case 'sign_in_required':
      return 'Sign in again.';
    case 'denied':
    case 'misconfigured': {
      const why = await outcome.explain();
      return why.kind === 'explanation' ? `${why.summary} ${why.remedy}` : outcome.detail;
    }
    case 'unavailable':
      return `Try again in ${outcome.retryAfterSeconds ?? 60} seconds.`;
    case 'not_found':
    case 'invalid':
      return outcome.detail;
  }
}
