import { afterAll, beforeAll, expect } from '@jest/globals';
import { scene } from '@legate/dev';
import { needs } from '@legate/testing';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

/** Tests the console with a person who signs in and out again, in a browser. */

const { it, path } = needs('time', 'Chromium');
let chromium: Browser;
let stack: StackUnderTest;

beforeAll(async () => {
  [chromium, stack] = await Promise.all([launchChromium(path.Chromium), startStackUnderTest()]);
});
afterAll(async () => {
  await chromium?.close();
  await stack?.stop();
});

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${stack.urls.console}/bff/sign-in?return_to=/me`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(scene.PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${stack.urls.console}/me`);
}

/** Sends a request as a page of the console does. */
const ask = (page: Page, path: string, method = 'GET') =>
  page.evaluate(
    async ({ path, method }) => {
      const answer = await fetch(path, { method, headers: { 'Legate-Console': '1' } });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    { path, method },
  );

it('signs in, reads both services as this user without a token in the browser, and signs out', async () => {
  const context = await chromium.newContext();
  const page = await context.newPage();
  const seen: string[] = [];
  page.on('response', async (answer) => {
    // A request may arrive after the test has ended and its page is closed.
    const headers = await answer.allHeaders().catch(() => ({}));
    seen.push(answer.url(), JSON.stringify(headers), await answer.text().catch(() => ''));
  });
  await signIn(page, scene.USERS.alice.email);

  const session = await ask(page, '/bff/session');
  expect(session).toMatchObject({
    status: 200,
    body: { user: { email: 'alice@acme.example' }, organization: { id: 'org_acme' }, role: 'owner' },
  });
  expect((await ask(page, '/bff/api/connectors')).body.data[0].id).toBe(scene.CONNECTOR);
  const called = await ask(page, `/bff/hub/connectors/${scene.CONNECTOR}/tools`);
  expect(called.status).toBe(200);
  expect((await ask(page, '/bff/health')).body).toEqual({
    management_api: 'ok',
    tool_hub: 'ok',
    identity_provider: 'ok',
  });
  const cookies = (await context.cookies(stack.urls.console)).filter(({ name }) =>
    name.startsWith('console'),
  );
  expect(cookies).toEqual([
    expect.objectContaining({ name: 'console', httpOnly: true, sameSite: 'Strict', path: '/' }),
  ]);
  expect(await page.evaluate(() => document.cookie)).not.toContain('console');
  expect(seen.join('\n')).not.toMatch(/eyJ[\w-]+\.eyJ[\w-]+\./);

  const signedOut = await ask(page, '/bff/sign-out', 'POST');
  expect(signedOut.status).toBe(200);
  expect((await ask(page, '/bff/sessions')).status).toBe(401);
  await page.goto(signedOut.body.continue_to);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${stack.urls.console}/signed-out**`);
  await context.close();
});

it('prevents pages of another port from using the cookie, although they are same-site', async () => {
  const context = await chromium.newContext();
  const page = await context.newPage();
  await signIn(page, scene.USERS.bob.email);
  await page.goto(`${stack.urls['tool-hub']}/healthz`);
  const attempts = await page.evaluate(async (target) => {
    const attempt = (init: RequestInit) =>
      fetch(`${target}/bff/sign-out`, { method: 'POST', credentials: 'include', ...init }).then(
        (answer) => `${answer.type} ${answer.status}`,
        () => 'refused by the browser',
      );
    return [await attempt({ headers: { 'Legate-Console': '1' } }), await attempt({ mode: 'no-cors' })];
  }, stack.urls.console);
  expect(attempts).toEqual(['refused by the browser', 'refused by the browser']);
  await page.goto(`${stack.urls.console}/me`);
  expect((await ask(page, '/bff/session')).status).toBe(200);
  await context.close();
});
