import { hash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { createLegs, exchange, type Legs, ROOT, scene, text } from '@legate/dev';
import { needs } from '@legate/testing';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

/** Tests a user who signs out at the identity provider in a browser; the application and its agents run elsewhere. */

const REDIRECT_URI = 'http://127.0.0.1:5173/callback';

const { it, path } = needs('time', 'Chromium');
let chromium: Browser;
let stack: StackUnderTest;
let legs: Legs;

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
  legs = createLegs(stack.urls);
});
afterAll(async () => {
  await chromium?.close();
  await stack?.stop();
});

/** Acts as the application: nothing listens at its URL, the test responds to the browser. */
async function signIn(page: Page, email: string) {
  const issuer = stack.urls['mock-idp'];
  const client_id = scene.IDP_CLIENTS.frontend.id;
  const code_verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    ...{ client_id, redirect_uri: REDIRECT_URI, response_type: 'code', scope: 'openid offline_access' },
    ...{ code_challenge: hash('sha256', code_verifier, 'base64url'), code_challenge_method: 'S256' },
  });
  await page.route(`${REDIRECT_URI}**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: 'signed in' }),
  );
  await page.goto(`${issuer}/oauth/authorize?${query}`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(scene.PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${REDIRECT_URI}**`);
  const code = new URL(page.url()).searchParams.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
  const { answer } = await exchange('POST', `${issuer}/oauth/token`, {
    form: { ...grant, client_id, code_verifier },
  });
  return { idToken: text(answer, 'id_token'), refreshToken: text(answer, 'refresh_token') };
}

async function openSession(email: string) {
  const page = await (await chromium.newContext()).newPage();
  const { idToken, refreshToken } = await signIn(page, email);
  const opened = await exchange(
    'POST',
    `${stack.urls['tool-hub']}/api/v1/sessions`,
    { json: { refresh_token: refreshToken } },
    { Authorization: `Bearer ${idToken}` },
  );
  expect(opened.status).toBe(201);
  return { page, handle: text(opened.answer, 'session') };
}

const outcomeOf = async (handle: string) => {
  const { status, answer } = await legs.callThroughHub(handle, 'whoami');
  return status === 200 ? 200 : `${status} ${text(answer, 'code')}`;
};

it("ends the user's session at the hub, but no other user's, nor the user's own on another machine", async () => {
  const here = await openSession(scene.USERS.alice.email);
  const elsewhere = await openSession(scene.USERS.alice.email);
  const bobs = await openSession(scene.USERS.bob.email);
  const handles = [here, elsewhere, bobs].map(({ handle }) => handle);
  const outcomes = () => Promise.all(handles.map(outcomeOf));
  const before = await outcomes();

  await here.page.goto(`${stack.urls['mock-idp']}/oauth/logout`);
  // The identity provider notifies its clients before it responds to the browser.
  await Promise.all([
    here.page.waitForURL('**/oauth/logout/**'),
    here.page.getByRole('button', { name: 'Sign out' }).click(),
  ]);
  const after = await outcomes();
  expect([before[0], before[1], after[0], after[1], after[2]]).toEqual([
    200,
    200,
    '401 session_ended',
    200,
    before[2],
  ]);
});
