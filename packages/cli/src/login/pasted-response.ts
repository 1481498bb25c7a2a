import { randomInt } from 'node:crypto';
import { usageError } from '../command-line/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { CALLBACK_PATH, type Redirection } from './loopback-server.ts';

/** The dynamic ports (RFC 6335 §6) */
const [FIRST_PORT, LAST_PORT] = [49_152, 65_535];

/**
 * The user pastes the address of the page to which the identity provider has sent their browser. Nothing listens there:
 * the browser is on another computer, and shows an error. Without this process nobody can use the code of the address,
 * because they lack the code verifier (PKCE).
 * @param again the command to type after a wrong input
 */
export function pastedResponse({ ask }: Io, again: string): Redirection {
  const redirectUri = `http://127.0.0.1:${randomInt(FIRST_PORT, LAST_PORT + 1)}${CALLBACK_PATH}`;
  return {
    redirectUri,
    async response(signal) {
      const question = 'Paste the address of that page here (it is not shown): ';
      const typed = (await ask(question, { isHidden: true, signal })).trim();
      const url = URL.canParse(typed) ? new URL(typed) : undefined;
      if (url === undefined || `${url.origin}${url.pathname}` !== redirectUri)
        throw usageError(`The address of that page begins with ${redirectUri}; this one does not.`, again);
      return { url, answer: () => {} };
    },
    close() {},
  };
}
