import { type HTMLElement, parse } from 'node-html-parser';
import { CookieJar } from 'tough-cookie';

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly root: HTMLElement;
}

/** A browser without JavaScript: handles cookies, redirects and forms. */
export function createBrowser() {
  const cookies = new CookieJar();

  async function send(url: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { Accept: 'text/html', Cookie: await cookies.getCookieString(url), ...init.headers },
    });
    for (const cookie of answer.headers.getSetCookie())
      await cookies.setCookie(cookie, url, { ignoreError: true });
    return answer;
  }

  /** Follows redirects until a page is returned, or until they leave the origin. */
  async function follow(url: string, init?: RequestInit): Promise<{ page: Page } | { left: URL }> {
    const { origin } = new URL(url);
    let current = url;
    let answer = await send(current, init);
    for (let hop = 0; hop < 10; hop += 1) {
      const location = answer.headers.get('location');
      if (location === null) {
        const { status, headers } = answer;
        return { page: { url: current, status, headers, root: parse(await answer.text()) } };
      }
      if (init?.method === 'POST' && hop === 0 && answer.status !== 303)
        throw new Error(`a form was answered with ${answer.status}`);
      const next = new URL(location, current);
      if (next.origin !== origin) return { left: next };
      current = next.href;
      answer = await send(current);
    }
    throw new Error('too many redirects');
  }

  return {
    send,
    async open(url: string): Promise<Page> {
      const result = await follow(url);
      if (!('page' in result)) throw new Error('the browser left the origin');
      return result.page;
    },
    async leave(url: string): Promise<URL> {
      const result = await follow(url);
      if (!('left' in result)) throw new Error(`stayed at ${result.page.url}, ${result.page.status}`);
      return result.left;
    },
    /** Submits a form of the page (default: the first) with its own fields and the given ones. */
    async submit(page: Page, fields: Record<string, string>, selector = 'form') {
      const form = page.root.querySelector(selector);
      if (!form) throw new Error('no form');
      const body = new URLSearchParams();
      for (const input of form.querySelectorAll('input'))
        body.set(input.getAttribute('name') ?? '', input.getAttribute('value') ?? '');
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      const url = new URL(form.getAttribute('action') ?? '', page.url).href;
      return follow(url, {
        method: 'POST',
        body: body.toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      });
    },
  };
}
export type Browser = ReturnType<typeof createBrowser>;
