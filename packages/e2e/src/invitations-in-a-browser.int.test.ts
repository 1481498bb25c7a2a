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
const { describe, it, path } = needs('night', 'Chromium');
let chromium: Browser;
let stack: OnboardingStack;
const contexts: BrowserContext[] = [];
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
  complaints = [];
  page = await newBrowser();
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});

/** A browser context with its own cookies */
async function newBrowser(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await chromium.newContext(options);
  contexts.push(context);
  context.setDefaultTimeout(TIMEOUT_MS);
  const tab = await context.newPage();
  tab.on('console', (message) => {
    // An error page has an error status, which Chromium logs.
    if (message.type() === 'error' && !/status of (4|5)\d\d/.test(message.text()))
      complaints.push(message.text());
  });
  return tab;
}

const api = () => stack.urls['management-api'];
const see = (title: string, tab = page) => tab.getByRole('heading', { level: 1, name: title }).waitFor();
const press = (name: string, tab = page) => tab.getByRole('button', { name, exact: true }).click();
const follow = (name: string, tab = page) => tab.getByRole('link', { name }).click();
const said = (tab = page) => tab.getByRole('main').innerText();

const tokensOf = (email: string) => signIn({ issuer: stack.urls['mock-idp'], email, resource: api() });

async function callAs(email: string, method: 'GET' | 'POST' | 'DELETE', path: string, json?: object) {
  const { accessToken } = await tokensOf(email);
  const headers = { Authorization: `Bearer ${accessToken}` };
  const answer = await exchange(method, `${api()}/api/v1${path}`, json && { json }, headers);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer.answer;
}

/** An invitation by Alice, the owner of Acme */
async function invite(email: string, role = 'developer'): Promise<{ id: string; link: string }> {
  const made = await callAs(scene.USERS.alice.email, 'POST', '/invitations', { email, role });
  return { id: String(member(made, 'id')), link: String(member(made, 'accept_url')) };
}

async function enterPassword(email: string, tab = page): Promise<void> {
  await tab.getByLabel('E-mail address').fill(email);
  await tab.getByLabel('Password').fill(scene.PASSWORD);
  await press('Sign in', tab);
}

/** Opens a link and signs in, up to the page that follows. */
async function answerAs(email: string, link: string, tab = page): Promise<void> {
  await tab.goto(link);
  await follow('Sign in', tab);
  await enterPassword(email, tab);
}

describe('an invited person', () => {
  it('accepts, and their next token names the organization, with the role of the invitation', async () => {
    const bob = await stack.createUser('Invited');
    const { link } = await invite(bob.email, 'admin');
    const urls: string[] = [];
    const referrers: (string | undefined)[] = [];
    page.on('request', (request) => {
      urls.push(request.url());
      referrers.push(request.headers().referer);
    });
    await page.goto(link);
    await see('Join');
    for (const text of ['Alice', 'admin', 'i…@newco.example', 'None yet'])
      expect(await said()).toContain(text);
    await follow('Sign in');
    await enterPassword(bob.email);
    await press('Accept');
    await see('is ready');
    expect(await said()).toContain('You are a member of');
    expect(complaints).toEqual([]);
    const token = new URL(link).searchParams.get('token') ?? '';
    expect(urls.filter((url) => url.includes(token))).toEqual([link]);
    expect(referrers.filter((referrer) => referrer?.includes(token))).toEqual([]);

    const { idToken } = await tokensOf(bob.email);
    expect(decodeJwt(idToken).organization_id).toBe('org_acme');
    expect(member(await callAs(bob.email, 'GET', '/me'), 'role')).toBe('admin');
  });

  it('declines by the keyboard alone', async () => {
    const eve = await stack.createUser('Decliner');
    const { id, link } = await invite(eve.email);
    await answerAs(eve.email, link);
    await see('Join');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await see('Create your organization');
    expect(await said()).toContain('You have declined the invitation');
    const seen = await callAs(scene.USERS.alice.email, 'GET', `/invitations/${id}`);
    expect(member(seen, 'state')).toBe('declined');
  });

  it('accepts only once, even after double clicks, reloads and going back', async () => {
    const bob = await stack.createUser('Clicker');
    const { link } = await invite(bob.email);
    await answerAs(bob.email, link);
    await see('Join');
    await page.reload();
    await see('Join');
    await page.getByRole('button', { name: 'Accept' }).dblclick();
    await see('is ready');
    await page.reload();
    await see('is ready');
    await page.goBack();
    await see('is ready');
    const list = await callAs(bob.email, 'GET', '/members?search=Clicker');
    expect(member(member(list, 'pagination'), 'total')).toBe(1);
  });

  it('waits while the identity provider is slow, and the page continues by itself', async () => {
    const bob = await stack.createUser('Waiter');
    const { link } = await invite(bob.email);
    await answerAs(bob.email, link);
    await see('Join');
    const hold = stack.admin.holdNext('POST', '/admin/memberships', 'before');
    await page.getByRole('button', { name: 'Accept' }).click({ noWaitAfter: true });
    await hold.arrived;
    await page.goto(`${api()}/onboarding`);
    await see('You are joining');
    hold.release();
    await see('is ready');
  });

  it('opens the link in one browser and accepts in another', async () => {
    const bob = await stack.createUser('Mover');
    const { link } = await invite(bob.email);
    await answerAs(bob.email, link);
    await see('Join');
    const phone = await newBrowser();
    await answerAs(bob.email, link, phone);
    await press('Accept', phone);
    await see('is ready', phone);
    await press('Accept');
    await see('is ready');
  });
});

describe('somebody else', () => {
  it('cannot use a forwarded link, and can sign in as the invited person', async () => {
    const bob = await stack.createUser('Forwarder');
    const eve = await stack.createUser('Receiver');
    const { link } = await invite(bob.email);
    await answerAs(eve.email, link);
    await see('This invitation is for another account');
    expect(await said()).not.toContain(bob.email);
    await follow('Sign in as somebody else');
    await enterPassword(bob.email);
    await press('Accept');
    await see('is ready');
    expect(decodeJwt((await tokensOf(eve.email)).idToken).organization_id).toBeUndefined();
  });

  it('can ignore the invitation and continue', async () => {
    const bob = await stack.createUser('Owner');
    const eve = await stack.createUser('Passer');
    const { link } = await invite(bob.email);
    await answerAs(eve.email, link);
    await press('Continue without the invitation');
    await see('Create your organization');
  });

  it('who belongs to another organization gets a message, and nothing changes', async () => {
    const { email } = scene.USERS.carol;
    const { id, link } = await invite(email);
    await answerAs(email, link);
    await press('Accept');
    await see('You belong to another organization');
    expect(decodeJwt((await tokensOf(email)).idToken).organization_id).toBe('org_globex');
    await callAs(scene.USERS.alice.email, 'DELETE', `/invitations/${id}`);
  });
});

describe.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 375],
  ['dark', 375],
] as const)('on a %s screen of %i pixels', (colorScheme, width) => {
  it('every page is accessible', async () => {
    page = await newBrowser({ colorScheme, viewport: { width, height: 800 } });
    const bob = await stack.createUser('Reader');
    const eve = await stack.createUser('Stranger');
    const { link } = await invite(bob.email);
    const faults: [page: string, faults: string[]][] = [];
    const look = async (title: string) => {
      await see(title);
      faults.push([title, await pageFaults(page)]);
    };
    await page.goto(link);
    await look('Join');
    await follow('Sign in');
    await enterPassword(eve.email);
    await look('This invitation is for another account');
    await follow('Sign in as somebody else');
    await enterPassword(bob.email);
    await look('Join');
    await press('Accept');
    await look('is ready');
    await page.goto(`${api()}/onboarding/invitation?token=lgi_unknown`);
    await look('Invitation not found');
    expect(faults).toEqual(faults.map(([title]) => [title, []]));
    expect(faults).toHaveLength(5);
    expect(complaints).toEqual([]);
  });
});

describe('the process is killed while it waits for the identity provider', () => {
  it.each<[string, HeldWhen]>([
    ['which does not add the person', 'before'],
    ['which adds the person', 'after'],
  ])('%s: the next click finishes it', async (_case, when) => {
    const bob = await stack.createUser('Survivor');
    const { link } = await invite(bob.email);
    await answerAs(bob.email, link);
    await see('Join');
    const { arrived } = stack.admin.holdNext('POST', '/admin/memberships', when);
    await page.getByRole('button', { name: 'Accept' }).click({ noWaitAfter: true });
    await arrived;
    await stack.killApi();
    // Half a minute later, when the interrupted work is considered abandoned
    await stack.restartApi(31);
    await page.goto(`${api()}/onboarding`);
    await see('Join');
    await press('Accept');
    await see('is ready');
    expect(member(await callAs(bob.email, 'GET', '/me'), 'role')).toBe('developer');
  });
});

// Last, because afterwards tokens of the identity provider have expired.
describe('an expired link', () => {
  it('has the same page as a link that never existed', async () => {
    const { email } = await stack.createUser('Late');
    const { link } = await invite(email);
    await stack.advanceSeconds(7 * 24 * 3600);
    await page.goto(link);
    await see('Invitation not found');
    const expired = await said();
    await page.goto(`${api()}/onboarding/invitation?token=lgi_unknown`);
    await see('Invitation not found');
    const withoutRequest = (text: string) => text.replace(/Request id: .*/, '');
    expect(withoutRequest(await said())).toBe(withoutRequest(expired));
  });
});
