import { parse } from 'node-html-parser';
import { CookieJar } from 'tough-cookie';

/** One response during a sign-in, for display. */
export interface BrowserStep {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly status: number;
}

export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
}

const MAX_STEPS = 15;

/**
 * A browser reduced to what a sign-in needs: it keeps cookies, follows redirects, and fills in forms. It signs in through
 * the same page that people use, without JavaScript.
 * @param further headers of each request, such as `X-Forwarded-For`
 */
export function createBrowser(
  onStep: (step: BrowserStep) => void = () => {},
  further: Readonly<Record<string, string>> = {},
) {
  const cookies = new CookieJar();

  async function send(method: 'GET' | 'POST', url: string, form?: URLSearchParams): Promise<Response> {
    const headers: Record<string, string> = { ...further, Cookie: await cookies.getCookieString(url) };
    if (form)
      Object.assign(headers, {
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: new URL(url).origin,
      });
    const answer = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
      ...(form && { body: form.toString() }),
    });
    for (const cookie of answer.headers.getSetCookie())
      await cookies.setCookie(cookie, url, { ignoreError: true });
    onStep({ method, url, status: answer.status });
    return answer;
  }

  return {
    /**
     * Follows an authorization request to the client's redirect URI.
     * @param decision the button to press on a page that asks whether to allow the client
     * @returns the redirect URI with the authorization response in its query
     * @throws {SignInFailed}
     */
    async signIn(
      authorizationUrl: string,
      redirectUri: string,
      email: string,
      password: string,
      decision: 'allow' | 'deny' = 'allow',
    ): Promise<URL> {
      let answer = await send('GET', authorizationUrl);
      let url = authorizationUrl;
      const submitted = new Set<string>();
      for (let step = 0; step < MAX_STEPS; step += 1) {
        const location = answer.headers.get('location');
        if (location) {
          url = new URL(location, url).href;
          if (url.startsWith(redirectUri)) return new URL(url);
          answer = await send('GET', url);
          continue;
        }
        const page = parse(await answer.text());
        const form = page.querySelector('form');
        const kind = form?.querySelector('[name=decision]') ? 'decision' : 'password';
        if (!form || submitted.has(kind)) {
          const message =
            page.querySelector('[role=alert]')?.text.trim() ??
            page.querySelector('h1')?.text.trim() ??
            `status ${answer.status}`;
          throw new SignInFailed(message);
        }
        const fields = new URLSearchParams();
        for (const input of form.querySelectorAll('input')) {
          const name = input.getAttribute('name');
          if (name) fields.set(name, input.getAttribute('value') ?? '');
        }
        if (kind === 'decision') fields.set('decision', decision);
        else {
          fields.set('email', email);
          fields.set('password', password);
        }
        submitted.add(kind);
        url = new URL(form.getAttribute('action') || url, url).href;
        answer = await send('POST', url, fields);
      }
      throw new SignInFailed('too many redirects');
    },
  };
}
