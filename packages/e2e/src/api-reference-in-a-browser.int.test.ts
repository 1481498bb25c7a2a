import { afterAll, beforeAll, expect } from '@jest/globals';
import { scene } from '@legate/dev';
import { needs } from '@legate/testing';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { pageFaults } from './page-faults.ts';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';
import { unlikeOperations } from './unlike-operations.ts';

// Tests the API reference page of the management API with a person who reads it, signs in there, and sends requests.

/** Time-out of one wait in the browser: the page has more than a hundred operations. */
const TIMEOUT_MS = 60_000;
const { it, path } = needs('night', 'Chromium');
let chromium: Browser;
let stack: StackUnderTest;

beforeAll(async () => {
  [chromium, stack] = await Promise.all([
    launchChromium(path.Chromium),
    startStackUnderTest({ services: ['mock-idp', 'management-api'] }),
  ]);
});
afterAll(async () => {
  await chromium?.close();
  await stack?.stop();
});

/** Opens the page; the test fails if the content security policy blocks anything. */
async function open(hash = ''): Promise<{ page: Page; complaints: string[] }> {
  const context = await chromium.newContext();
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${stack.urls['management-api']}/api/v1/docs${hash}`);
  await page.locator('#operations-Caller-getMe').waitFor();
  return { page, complaints };
}

const operationOf = (page: Page, id: string) => page.locator(`#operations-${id}`);

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click(),
  ]);
  await popup.getByLabel('E-mail address').fill(email);
  await popup.getByLabel('Password').fill(scene.PASSWORD);
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: 'Sign in' }).click();
  await closed;
  await page.getByRole('button', { name: 'Remove authorization' }).waitFor();
  await page.locator('.close-modal').click();
}

it('signs a reader in with PKCE and calls the API as them, with the scopes that they chose', async () => {
  const { page, complaints } = await open('#/Caller/getMe');
  await signIn(page, scene.USERS.alice.email);
  const me = operationOf(page, 'Caller-getMe');
  await me.getByRole('button', { name: 'Try it out' }).click();
  await me.getByRole('button', { name: 'Execute' }).click();
  const answer = me.locator('.live-responses-table');
  await answer.getByText('200', { exact: true }).waitFor();
  const text = await answer.innerText();
  expect(text).toContain('alice@acme.example');
  expect(text).toContain('sites:read');
  expect(text).not.toContain('sites:write');
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('stores no token that survives a reload', async () => {
  const { page } = await open();
  await signIn(page, scene.USERS.alice.email);
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
  await page.reload();
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.getByRole('button', { name: 'Apply given OAuth2 credentials' }).waitFor();
  await page.context().close();
});

/** Best practices besides WCAG: Swagger UI leaves a level of headings out, and does not name its regions. */
const OF_SWAGGER_UI = ['heading-order', 'region', 'landmark-unique'];

it('is accessible, both collapsed and with an operation of each kind open', async () => {
  const { page, complaints } = await open();
  const collapsed = await pageFaults(page, { leaveOut: OF_SWAGGER_UI });
  // All of them, about a hundred, would take minutes of computing: Swagger UI needs more for opening them than axe for
  // examining them, so fewer rules or one operation at a time would not help.
  const unlike = unlikeOperations(
    await (await page.request.get(`${stack.urls['management-api']}/api/v1/openapi.json`)).json(),
  );
  const ids = new Set([...unlike, 'Machines-listApiKeys']); // its answer is longer than what Swagger UI shows at once
  for (const id of ids) await operationOf(page, id).locator('.opblock-summary-control').click();
  for (const id of ids) await operationOf(page, id).locator('.responses-table').first().waitFor();
  expect([collapsed, await pageFaults(page, { leaveOut: OF_SWAGGER_UI })]).toEqual([[], []]);
  expect(complaints).toEqual([]);
  await page.context().close();
});
