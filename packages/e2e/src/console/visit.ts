/// <reference lib="dom" />
import { scene } from '@legate/dev';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** A browser of one person, and everything that reached it. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Messages of the browser's console: errors, warnings and blocked requests */
  readonly complaints: string[];
  /** URLs requested since the sign-in, other than those of the console */
  readonly foreign: string[];
  /** URLs, headers and bodies of all responses; await `received()` to include responses in progress */
  received(): Promise<string>;
}

export async function visit(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(50_000);
  const complaints: string[] = [];
  const answers: Promise<string>[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (fault) => complaints.push(fault.message));
  page.on('response', (answer) => {
    const headers = answer.allHeaders().catch(() => ({}));
    const body = answer.text().catch(() => ''); // a redirect has no body
    answers.push(
      Promise.all([headers, body]).then(([head, text]) => `${answer.url()} ${JSON.stringify(head)} ${text}`),
    );
  });
  const received = async () => (await Promise.all(answers)).join('\n');
  return { page, context, complaints, foreign: [], received };
}

/** Signs in at the identity provider; the browser is then on Home. */
export async function signIn({ page, foreign }: Visit, console: string, email: string): Promise<void> {
  await page.goto(`${console}/bff/sign-in?return_to=/`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(scene.PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== console && protocol !== 'data:') foreign.push(request.url());
  });
}

/** The row of a tool, or of another list entry with this text */
export const toolOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });

/** Returns everything that a page can store and its scripts can read: none of it may be a credential. */
export async function kept(page: Page): Promise<{ names: string[]; text: string }> {
  return page.evaluate(async () => {
    const stored = { ...localStorage, ...sessionStorage };
    const databases = (await indexedDB.databases()).map(({ name }) => `database ${name}`);
    const caches_ = (await caches.keys()).map((name) => `cache ${name}`);
    return {
      names: [...Object.keys(localStorage), ...databases, ...caches_],
      text: [
        JSON.stringify(stored),
        document.cookie,
        location.href,
        document.documentElement.outerHTML,
        ...performance.getEntriesByType('resource').map(({ name }) => name),
      ].join('\n'),
    };
  });
}

/** Sends a request as a script of the console would. */
export const askByHand = (page: Page, method: string, path: string, body?: object): Promise<number> =>
  page.evaluate(
    async ({ method, path, body }) => {
      const headers = { 'Legate-Console': '1', ...(body && { 'Content-Type': 'application/json' }) };
      const answer = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return answer.status;
    },
    { method, path, body },
  );
