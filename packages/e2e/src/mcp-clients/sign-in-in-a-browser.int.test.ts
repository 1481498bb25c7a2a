import { hash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import { exchange, ROOT, scene, text } from '@legate/dev';
import { needs } from '@legate/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import { pageFaults } from '../page-faults.ts';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';

/** Tests the pages that a user sees when an MCP client signs them in, in a real browser. */

const { it, path } = needs('time', 'Chromium');
const LOOPBACK = 'http://127.0.0.1:33418/oauth/callback';
const SCREENS: readonly [string, BrowserContextOptions][] = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['375 pixels wide, light', { colorScheme: 'light', viewport: { width: 375, height: 700 } }],
  ['375 pixels wide, dark', { colorScheme: 'dark', viewport: { width: 375, height: 700 } }],
];

let chromium: Browser;
let stack: StackUnderTest;
let page: Page;
beforeAll(async () => {
  [chromium, stack] = await Promise.all([
    launchChromium(path.Chromium),
    startStackUnderTest({
      services: ['mock-idp', 'reference-mcp-server', 'tool-hub'],
      env: {
        'tool-hub': { CONNECTORS_FILE: `${ROOT}infra/development/connectors.json`, MANAGEMENT_API_URL: '' },
      },
    }),
  ]);
});
afterAll(async () => {
  await chromium?.close();
  await stack?.stop();
});
beforeEach(async () => {
  page = await open({});
});

/** Acts as the client: nothing listens at its URL, the test responds to the browser. */
async function open(options: BrowserContextOptions): Promise<Page> {
  const opened = await (await chromium.newContext(options)).newPage();
  await opened.route('http://127.0.0.1:33418/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: 'back at the client' }),
  );
  return opened;
}

const verifier = randomBytes(32).toString('base64url');
const authorizationUrl = (changes: Record<string, string> = {}): string => {
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'example-mcp-client', redirect_uri: LOOPBACK, state: 'the-state' },
    ...{ code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' },
    ...changes,
  });
  return `${stack.urls['tool-hub']}/oauth/authorize?${query}`;
};

async function signIn(at: Page, email: string): Promise<void> {
  await at.getByLabel('E-mail address').fill(email);
  await at.getByLabel('Password').fill(scene.PASSWORD);
  await at.getByRole('button', { name: 'Sign in' }).click();
}

describe('a user whom an MCP client signs in', () => {
  it('allows it and is back at the client, which gets tokens', async () => {
    await page.goto(authorizationUrl());
    await signIn(page, scene.USERS.alice.email);
    await page.getByRole('heading', { name: 'Let Example MCP client use your tools?' }).waitFor();
    expect(await page.getByText('An application on this computer').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${LOOPBACK}**`);
    const answer = new URL(page.url()).searchParams;
    expect([answer.get('state'), answer.get('iss')]).toEqual(['the-state', stack.urls['tool-hub']]);
    const redeemed = await exchange('POST', `${stack.urls['tool-hub']}/oauth/token`, {
      form: {
        ...{ grant_type: 'authorization_code', code: answer.get('code') ?? '', redirect_uri: LOOPBACK },
        ...{ client_id: 'example-mcp-client', code_verifier: verifier },
      },
    });
    expect(text(redeemed.answer, 'access_token')).toMatch(/^lat_/);
  });

  it('denies it and is back at the client with an error', async () => {
    await page.goto(authorizationUrl());
    await signIn(page, scene.USERS.alice.email);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(`${LOOPBACK}**`);
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
  });

  it('switches to another account', async () => {
    await page.goto(authorizationUrl());
    await signIn(page, scene.USERS.alice.email);
    await page.getByText(scene.USERS.alice.email).waitFor();
    await page.getByRole('link', { name: 'Use another account' }).click();
    await signIn(page, scene.USERS.bob.email);
    await page.getByText(scene.USERS.bob.email).waitFor();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${LOOPBACK}**`);
    expect(new URL(page.url()).searchParams.has('code')).toBe(true);
  });

  it('without an organization sees why they cannot continue, and goes back', async () => {
    await page.goto(authorizationUrl());
    await signIn(page, scene.USERS.erin.email);
    await page.getByRole('heading', { name: 'Your sign-in does not name an organization' }).waitFor();
    expect(await pageFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back to the application' }).click();
    await page.waitForURL(`${LOOPBACK}**`);
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
  });

  it('who goes back after the decision sees that the request has ended', async () => {
    await page.goto(authorizationUrl());
    await signIn(page, scene.USERS.alice.email);
    await page.getByRole('heading', { name: 'Let Example MCP client use your tools?' }).waitFor();
    const asked = page.url();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${LOOPBACK}**`);
    await page.goto(asked);
    await page.getByRole('heading', { name: 'This sign-in is no longer valid' }).waitFor();
  });
});

describe.each(SCREENS)('on a screen that is %s', (name, options) => {
  it('the page that asks for consent is accessible', async () => {
    page = await open(options);
    await page.goto(authorizationUrl());
    await signIn(page, scene.USERS.alice.email);
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    const { SCREENSHOTS } = process.env;
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/consent, ${name}.png`, fullPage: true });
    expect(await pageFaults(page)).toEqual([]);
  });

  it('the error page is accessible', async () => {
    page = await open(options);
    await page.goto(authorizationUrl({ client_id: 'nobody' }));
    await page.getByRole('heading', { name: 'Unknown application' }).waitFor();
    expect(await pageFaults(page)).toEqual([]);
  });
});
