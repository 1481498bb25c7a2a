import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { exchange, member, scene, signIn } from '@legate/dev';
import { needs } from '@legate/testing';
import { decodeJwt } from 'jose';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import type { HeldWhen } from './holding-proxy.ts';
import { type OnboardingStack, startOnboardingStack } from './onboarding-stack.ts';
import { pageFaults } from './page-faults.ts';

/** Time-out of one wait in the browser; a test has several. */
const TIMEOUT_MS = 50_000;
const { describe, it, path } = needs('time', 'Chromium');
let chromium: Browser;
let stack: OnboardingStack;
let context: BrowserContext;
let page: Page;
/** Errors that the browser logs: a blocking policy, a missing style sheet */
let complaints: string[];

beforeAll(async () => {
  chromium = await launchChromium(path.Chromium);
  stack = await startOnboardingStack();
});
afterAll(async () => {
  await chromium?.close();
  await stack?.stop();
});
beforeEach(async () => {
  context = await chromium.newContext();
  context.setDefaultTimeout(TIMEOUT_MS);
  complaints = [];
  page = await newTab();
});
afterEach(() => context?.close());

async function newTab(): Promise<Page> {
  const tab = await context.newPage();
  tab.on('console', (message) => {
    // An error page has an error status, which Chromium logs.
    if (message.type() === 'error' && !/status of (4|5)\d\d/.test(message.text()))
      complaints.push(message.text());
  });
  return tab;
}

/** A foreign page, without any policy. */
async function visit(url: string, body: string): Promise<Page> {
  const tab = await newTab();
  await tab.route(url, (route) => route.fulfill({ contentType: 'text/html', body }));
  await tab.goto(url);
  return tab;
}

const home = () => `${stack.urls['management-api']}/onboarding`;
/** An application whose client is in the development settings */
const APPLICATION = 'http://localhost:5173/welcome';
const forApplication = (path = '') => `${home()}${path}?return_to=${encodeURIComponent(APPLICATION)}`;
const see = (title: string, tab = page) => tab.getByRole('heading', { level: 1, name: title }).waitFor();
const press = (name: string, tab = page) => tab.getByRole('button', { name }).click();
const create = (tab = page) => press('Create organization', tab);

/** Goes from the first page through the identity provider's sign-in page to ours. */
async function signInAs(email: string, tab = page, start = forApplication()): Promise<void> {
  await tab.goto(start);
  await tab.getByRole('link', { name: 'Sign in' }).click();
  await tab.getByLabel('E-mail address').fill(email);
  await tab.getByLabel('Password').fill(scene.PASSWORD);
  await press('Sign in', tab);
}

async function toForm(name: string): Promise<{ email: string }> {
  const user = await stack.createUser(name);
  await signInAs(user.email);
  await see('Create your organization');
  return user;
}

const nameIt = (name: string, tab = page) => tab.getByLabel('Name of the organization').fill(name);
const countOf = async (name: string) =>
  (await stack.organizationNames()).filter((each) => each === name).length;

describe('a user who signs in for the first time', () => {
  it('sees a suggested name, creates the organization, allows access, and then gets a token for it', async () => {
    const { dave } = scene.USERS;
    await signInAs(dave.email);
    await see('Create your organization');
    expect(await page.getByLabel('Name of the organization').inputValue()).toBe('Newco');
    await create();
    await see('Allow');
    const said = await page.getByRole('main').innerText();
    for (const text of ['Newco', 'frontend-app', new URL(APPLICATION).host, 'None yet'])
      expect(said).toContain(text);
    await press('Allow access');
    await see('Access allowed');
    expect(await page.getByRole('main').innerText()).toContain('must sign you in again');
    expect(complaints).toEqual([]);

    const { idToken, accessToken } = await signIn({
      issuer: stack.urls['mock-idp'],
      email: dave.email,
      resource: stack.urls['management-api'],
    });
    const { organization_id: id } = decodeJwt(idToken);
    expect(id).toEqual(expect.any(String));
    const me = await exchange(
      'GET',
      `${stack.urls['management-api']}/api/v1/me`,
      {},
      { Authorization: `Bearer ${accessToken}` },
    );
    expect([me.status, member(me.answer, 'organization'), member(me.answer, 'role')]).toEqual([
      200,
      { id, name: 'Newco' },
      'owner',
    ]);
  });

  it.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)('can read and use every page in %s colours at %i pixels', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const { email } = await stack.createUser(`Reader${width}`);
    const faults: Record<string, string[]> = {};
    const look = async (title: string) => {
      await see(title);
      faults[title] = await pageFaults(page);
    };
    await page.goto(forApplication());
    await look('Set up your organization');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await look('Sign in');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(scene.PASSWORD);
    await press('Sign in');
    await look('Create your organization');
    await nameIt(' ');
    await create();
    await page.getByText('Error: Must not be empty.').waitFor();
    faults['with an error'] = await pageFaults(page);
    await nameIt(`Readers of ${width} pixels`);
    await create();
    await look('Allow');
    await press('Allow access');
    await look('Access allowed');
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((title) => [title, []])));
    expect(complaints).toEqual([]);
  });

  it('needs only the keyboard, and the focus moves to an invalid field', async () => {
    await toForm('Keyboard');
    await nameIt(' ');
    await page.keyboard.press('Enter');
    await page.getByText('Error: Must not be empty.').waitFor();
    expect(await page.title()).toMatch(/^Error: /);
    const focused = page.locator(':focus');
    expect(await focused.getAttribute('name')).toBe('name');
    await page.keyboard.type('Keyboard Inc');
    await page.keyboard.press('Enter');
    await see('Allow');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await see('Access allowed');
  });

  it('is not asked about an unknown application', async () => {
    const { email } = await stack.createUser('Unasked');
    await signInAs(email, page, home());
    await see('Create your organization');
    await nameIt('Unasked Inc');
    await create();
    await see('Unasked Inc is ready');
    expect(await page.getByRole('button').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('may refuse access, and keeps the organization', async () => {
    const { email } = await toForm('Refuser');
    await nameIt('Refused Inc');
    await create();
    await press('Do not allow');
    await see('Access not allowed');
    expect(await countOf('Refused Inc')).toBe(1);
    const resource = stack.urls['management-api'];
    const { accessToken } = await signIn({ issuer: stack.urls['mock-idp'], email, resource });
    const me = await exchange('GET', `${resource}/api/v1/me`, {}, { Authorization: `Bearer ${accessToken}` });
    expect([me.status, member(me.answer, 'code')]).toEqual([403, 'consent_denied']);
  });

  it('may cancel at the identity provider, and try again', async () => {
    await page.goto(home());
    await page.getByRole('link', { name: 'Sign in' }).click();
    await press('Cancel');
    await see('You were not signed in');
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await page.getByLabel('Password').waitFor();
  });
});

describe('one organization and one decision', () => {
  it('result from double clicks', async () => {
    const { email } = await toForm('Doubleclick');
    await nameIt('Double Inc');
    // Chromium sends only one request for two clicks, unless the first one has been sent already.
    const hold = stack.admin.holdNext('POST', '/admin/organizations', 'before');
    const box = await page.getByRole('button', { name: 'Create organization' }).boundingBox();
    if (!box) throw new Error('no button');
    // With the raw mouse, because playwright's own clicks wait for a page that is loading.
    const click = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await click();
    await hold.arrived;
    await click();
    await see('Your organization is being created');
    hold.release();
    await see('Allow');
    await page.getByRole('button', { name: 'Allow access', exact: true }).dblclick();
    await see('Access allowed');
    expect(await countOf('Double Inc')).toBe(1);
    const { idToken } = await signIn({ issuer: stack.urls['mock-idp'], email });
    expect(decodeJwt(idToken).organization_id).toEqual(expect.any(String));
  });

  it('result from reloading every page', async () => {
    await toForm('Reloader');
    await page.reload();
    await see('Create your organization');
    await nameIt('Reload Inc');
    await create();
    await see('Allow');
    await page.reload();
    await see('Allow');
    await press('Allow access');
    await see('Access allowed');
    await page.reload();
    await see('Access allowed');
    expect(await countOf('Reload Inc')).toBe(1);
  });

  it('result from going back, which shows the current step and no old form', async () => {
    await toForm('Back');
    await nameIt('Back Inc');
    await create();
    await see('Allow');
    await page.goBack();
    await see('Allow');
    await press('Allow access');
    await see('Access allowed');
    await page.goBack();
    await see('Access allowed');
    expect(await countOf('Back Inc')).toBe(1);
  });

  it('result from the same form in two tabs', async () => {
    await toForm('Tabs');
    const second = await newTab();
    await second.goto(home());
    await see('Create your organization', second);
    await nameIt('Tabs Inc');
    await nameIt('Tabs Inc', second);
    await create();
    await see('Allow');
    await create(second);
    await see('Allow', second);
    await press('Allow access');
    await see('Access allowed');
    await press('Do not allow', second);
    await see('This sign-in has been completed', second);
    await second.getByRole('link', { name: 'Show the current step' }).click();
    await see('Access allowed', second);
    expect(await countOf('Tabs Inc')).toBe(1);
  });

  it('result from two sign-ins in two tabs, of which the newer one is used', async () => {
    await toForm('Again');
    const second = await newTab();
    await second.goto(forApplication('/sign-in')); // the identity provider knows the user already
    await see('Create your organization', second);
    await nameIt('Old Tab Inc');
    await create();
    await see('You have signed in again');
    await page.getByRole('link', { name: 'Show the current step' }).click();
    await see('Create your organization');
    await nameIt('New Tab Inc', second);
    await create(second);
    await see('Allow', second);
    expect([await countOf('Old Tab Inc'), await countOf('New Tab Inc')]).toEqual([0, 1]);
  });
});

describe('a form is refused', () => {
  it('with a wrong CSRF token, and shown again with the right one', async () => {
    await toForm('Forger');
    await nameIt('Forged Inc');
    await page.locator('input[name=csrf_token]').evaluate((input) => input.setAttribute('value', 'wrong'));
    await create();
    await see('This form is out of date');
    expect(await countOf('Forged Inc')).toBe(0);
    await page.getByRole('link', { name: 'Show the current step' }).click();
    await see('Create your organization');
  });

  it('after the sign-in has expired, and continues after signing in again', async () => {
    await toForm('Late');
    await nameIt('Late Inc');
    await stack.advanceSeconds(601);
    await create();
    await see('Your sign-in has expired');
    expect(await countOf('Late Inc')).toBe(0);
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await see('Create your organization');
    await nameIt('Late Inc');
    await create();
    await see('Allow');
    expect(await countOf('Late Inc')).toBe(1);
  });

  it.each([
    ['of the same site, with the cookie', 'http://localhost:9/'],
    ['of another site', 'http://attacker.test/'],
  ])('when a page %s sends it, even with session and token', async (_case, origin) => {
    await toForm('Victim');
    const field = async (name: string) =>
      `<input name="${name}" value="${await page.locator(`input[name=${name}]`).inputValue()}">`;
    const attacker = await visit(
      origin,
      `<form method="post" action="${home()}/create-org">${await field('session')}${await field('csrf_token')}
       <input name="name" value="Stolen Inc"><button>Win a prize</button></form>`,
    );
    await press('Win a prize', attacker);
    await see('This was sent by another website', attacker);
    expect(await countOf('Stolen Inc')).toBe(0);
  });
});

it('cannot be framed, which prevents clickjacking', async () => {
  // A real server, because Chromium blocks access to the local network from a page without an address.
  const attacker = createServer((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/html' }).end(`<iframe src="${home()}"></iframe>`);
  }).listen(0, '127.0.0.1');
  await once(attacker, 'listening');
  try {
    const refused = context.waitForEvent('console', {
      predicate: (message) => message.text().includes('frame-ancestors'),
    });
    await page.goto(`http://localhost:${(attacker.address() as AddressInfo).port}/`);
    await refused;
  } finally {
    attacker.close();
    attacker.closeAllConnections();
  }
});

describe('the process is killed while it waits for the identity provider', () => {
  it.each<[string, string, string, HeldWhen]>([
    ['to create the organization, which it does not', 'POST', '/admin/organizations', 'before'],
    ['to create the organization, which it does', 'POST', '/admin/organizations', 'after'],
    ['to make the user its owner, which it does not', 'POST', '/admin/memberships', 'before'],
    ['to make the user its owner, which it does', 'POST', '/admin/memberships', 'after'],
  ])('%s: a retry finds one organization', async (_case, method, path, when) => {
    const { email } = await toForm('Survivor');
    const name = `Survivor ${path} ${when}`;
    await nameIt(name);
    const { arrived } = stack.admin.holdNext(method, path, when);
    await page.getByRole('button', { name: 'Create organization' }).click({ noWaitAfter: true });
    await arrived;
    await stack.killApi();
    // Half a minute later, when the interrupted work is considered abandoned
    await stack.restartApi(31);
    await page.goto(home());
    await see('Create your organization');
    await nameIt(name);
    await create();
    await see('Allow');
    await press('Allow access');
    await see('Access allowed');
    expect(await countOf(name)).toBe(1);
    const { organization_id: id } = decodeJwt(
      (await signIn({ issuer: stack.urls['mock-idp'], email })).idToken,
    );
    expect(id).toEqual(expect.any(String));
  });
});
