import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';

const REDIRECT_URI = 'http://127.0.0.1:33418/callback';
const MAX_STEPS = 12;

/**
 * Signs users in at a hub as an MCP client that registers itself, with a browser that allows everything.
 * @param origin address at which the hub listens, which may differ from its PUBLIC_URL
 * @param atProvider acts as the identity provider: gets the `nonce` and returns the code for a user
 */
export function createSignInClient(origin: string, atProvider: (userId: string, nonce: string) => string) {
  const here = (url: string): string => {
    const { pathname, search } = new URL(url, origin);
    return `${origin}${pathname}${search}`;
  };

  /** @returns the code */
  async function authorize(userId: string, clientId: string, challenge: string): Promise<string> {
    const cookies = new Map<string, string>();
    const visit = async (url: string, init: RequestInit = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(here(url), {
        ...init,
        redirect: 'manual',
        headers: { ...init.headers, cookie },
      });
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      return answer;
    };
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: REDIRECT_URI, state: 'bench' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    });
    let answer = await visit(`/oauth/authorize?${query}`);
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const location = answer.headers.get('location');
      if (location === null) {
        const html = await answer.text();
        const action = /action="([^"]+)"/.exec(html)?.[1];
        const token = /name="token" value="([^"]+)"/.exec(html)?.[1];
        if (!action || !token) throw new Error(`no page to allow the client: ${answer.status}`);
        answer = await visit(action, {
          method: 'POST',
          body: new URLSearchParams({ decision: 'allow', token }),
        });
        continue;
      }
      const { searchParams, pathname } = new URL(location, origin);
      const code = searchParams.get('code');
      if (location.startsWith(REDIRECT_URI) && code !== null) return code;
      const nonce = searchParams.get('nonce');
      answer =
        nonce !== null && pathname.endsWith('/authorize')
          ? await visit(
              `/oauth/callback?${new URLSearchParams({ code: atProvider(userId, nonce), state: searchParams.get('state') ?? '' })}`,
            )
          : await visit(location);
    }
    throw new Error('the sign-in does not end');
  }

  const post = async (path: string, init: RequestInit): Promise<unknown> => {
    const answer = await fetch(`${origin}${path}`, { method: 'POST', ...init });
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };

  return {
    /** @returns access tokens of the hub, in the order of the users */
    async signIn(userIds: readonly string[]): Promise<string[]> {
      const { client_id } = z.object({ client_id: z.string() }).parse(
        await post('/oauth/register', {
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ client_name: 'bench', redirect_uris: [REDIRECT_URI] }),
        }),
      );
      const tokens: string[] = [];
      for (const userId of userIds) {
        const code_verifier = randomBytes(32).toString('base64url');
        const challenge = createHash('sha256').update(code_verifier).digest('base64url');
        const code = await authorize(userId, client_id, challenge);
        const form = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI };
        const body = new URLSearchParams({ ...form, code, client_id, code_verifier });
        tokens.push(
          z.object({ access_token: z.string() }).parse(await post('/oauth/token', { body })).access_token,
        );
      }
      return tokens;
    },
  };
}
