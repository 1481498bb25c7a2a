import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { exchange, scene, signIn as signInAtApi, text } from '@legate/dev';
import { needs } from '@legate/testing';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import { pageFaults } from '../page-faults.ts';
import { type RecordingProxy, startRecordingProxy } from '../recording-proxy.ts';
import { freeServicePorts, type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { addMember } from './people.ts';
import { askByHand, kept, signIn, toolOf, type Visit, visit } from './visit.ts';

const { describe, it, path } = needs('night', 'Chromium');
const { alice } = scene.USERS;
const VIEWER = 'viewer@acme.example';

let chromium: Browser;
let stack: StackUnderTest;
/** The proxy between the identity provider and the services that get tokens from it */
let toIdp: RecordingProxy;
let agentId: string;
let siteId: string;
let accountId: string;
const visits: Visit[] = [];

beforeAll(async () => {
  const ports = await freeServicePorts();
  toIdp = await startRecordingProxy({ host: '127.0.0.1', port: ports['mock-idp'] });
  const throughProxy = { CONNECT_TO: `localhost:${ports['mock-idp']}=${toIdp.address}` };
  [chromium, stack] = await Promise.all([
    launchChromium(path.Chromium),
    startStackUnderTest({ ports, env: { console: throughProxy, 'tool-hub': throughProxy } }),
  ]);
  await addThings();
  await addMember(stack, { email: VIEWER, name: 'Vera', role: 'viewer' });
});
afterEach(async () => {
  for (const { context } of visits.splice(0)) await context.close();
});
afterAll(async () => {
  await chromium?.close();
  await stack?.stop();
  await toIdp?.close();
});

/** An agent with the connector, and a site */
async function addThings(): Promise<void> {
  const api = stack.urls['management-api'];
  const { accessToken } = await signInAtApi({
    issuer: stack.urls['mock-idp'],
    email: alice.email,
    resource: api,
  });
  const send = async (method: string, path: string, json: object) => {
    const { status, answer } = await exchange(
      method,
      `${api}/api/v1${path}`,
      { json },
      { Authorization: `Bearer ${accessToken}` },
    );
    if (status >= 300) throw new Error(`${method} ${path}: ${status}`);
    return answer;
  };
  agentId = text(await send('POST', '/agents', { name: 'Helper', status: 'active' }), 'id');
  accountId = text(await send('POST', '/service-accounts', { name: 'Pipeline', role: 'viewer' }), 'id');
  siteId = text(await send('POST', '/sites', { name: 'Shop' }), 'id');
  await send('PUT', `/agents/${agentId}/connectors/${scene.CONNECTOR}`, {});
}

async function visitAs(email: string, options?: Parameters<typeof visit>[1]): Promise<Visit> {
  const visitor = await visit(chromium, options);
  visits.push(visitor);
  await signIn(visitor, stack.urls.console, email);
  return visitor;
}

/** Each page, and a text that it shows once it has loaded its data. */
const pages = (): readonly (readonly [path: string, shown: string])[] => [
  ['/', 'Identity provider'],
  ['/connectors', 'Reference tools'],
  [`/connectors/${scene.CONNECTOR}`, 'tool-hub'],
  [`/connectors/${scene.CONNECTOR}?tab=tools`, 'whoami'],
  [`/connectors/${scene.CONNECTOR}?tab=examination`, 'The examination runs each step'],
  [`/connectors/${scene.CONNECTOR}?tab=usedBy`, 'Helper'],
  ['/agents', 'Helper'],
  [`/agents/${agentId}`, 'Reference tools'],
  ['/sites', 'Shop'],
  [`/sites/${siteId}`, 'Shop'],
  ['/members', alice.email],
  ['/members?tab=invitations', 'No invitation is open.'],
  ['/settings', 'Plan and limit'],
  ['/settings?tab=accounts', 'Pipeline'],
  [`/settings/accounts/${accountId}`, 'This account has no live key.'],
  ['/audit', 'Alice'],
  ['/inspector', 'Runs the steps of a tool call'],
  ['/me', 'In my name'],
  ['/me/accounts?connected=true', 'Your account is connected'],
];

async function open(page: Page, path: string, shown: string): Promise<void> {
  await page.goto(`${stack.urls.console}${path}`);
  await page.getByRole('main').getByText(shown).first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

async function callWhoami(page: Page): Promise<void> {
  await open(page, `/connectors/${scene.CONNECTOR}?tab=tools`, 'whoami');
  await toolOf(page, 'whoami').getByRole('button', { name: 'Call as me' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).click();
}

/** Tokens, client secrets and similar credentials that the identity provider issued or received */
function secretsOfTheRun(): string[] {
  const wire = toIdp.seen();
  const tokens = [...wire.matchAll(/"(?:access|refresh|id)_token"\s*:\s*"([^"]+)"/g)].map(
    ([, token]) => token,
  );
  return [...new Set([...tokens.filter((token) => token !== undefined), scene.IDP_CLIENTS.console.secret])];
}

describe.each([
  ['light', 1280],
  ['dark', 375],
] as const)('on a %s screen of %i pixels', (colorScheme, width) => {
  it('every page is accessible, logs no errors, and sends requests only to the console', async () => {
    const { page, complaints, foreign } = await visitAs(alice.email, {
      colorScheme,
      viewport: { width, height: 800 },
    });
    const faults: [path: string, faults: string[]][] = [];
    for (const [path, shown] of pages()) {
      await open(page, path, shown);
      faults.push([path, [...(await pageFaults(page)), ...complaints.splice(0)]]);
    }
    await callWhoami(page);
    await page.getByRole('region', { name: 'Result' }).getByText(alice.id).first().waitFor();
    faults.push(['call', [...(await pageFaults(page)), ...complaints.splice(0)]]);
    expect(faults).toEqual(faults.map(([path]) => [path, []]));
    expect(foreign).toEqual([]);
  });
});

it('neither breaks nor cuts a word of Home on a phone', async () => {
  const { page } = await visitAs(alice.email, { viewport: { width: 375, height: 800 } });
  await open(page, '/', 'not examined');
  const label = page.getByRole('main').getByText('Connectors', { exact: true });
  const lines = await label.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getClientRects().length;
  });
  const environment = page.getByRole('banner').getByText('development');
  const cut = await environment.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect([lines, cut]).toEqual([1, 0]);
});

it('can open every page by the navigation, and go back', async () => {
  const { page, complaints } = await visitAs(alice.email, { viewport: { width: 1280, height: 800 } });
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const names = ['Connectors', 'Agents', 'Sites', 'Members', 'Audit', 'Inspector', 'Settings', 'Home'];
  for (const name of names) {
    await navigation.getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  }
  await navigation.getByRole('link', { name: 'Connectors' }).click();
  await page.getByRole('link', { name: 'Reference tools' }).click();
  await page.getByRole('heading', { level: 1, name: 'Reference tools' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Connectors' }).waitFor();
  expect(complaints).toEqual([]);
});

it('adds an agent, deletes it, and shows who did it', async () => {
  const { page, complaints } = await visitAs(alice.email, { viewport: { width: 1280, height: 800 } });
  await open(page, '/agents', 'Helper');
  await page.getByRole('button', { name: 'Add agent' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByRole('dialog').getByRole('button', { name: 'Add agent' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
  await page.getByRole('button', { name: 'Delete agent' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete agent' }).click();
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  await open(page, '/audit', 'deleted');
  expect(complaints).toEqual([]);
});

it('examines a connector as the reader, and its status says so', async () => {
  const { page } = await visitAs(alice.email);
  await open(page, `/connectors/${scene.CONNECTOR}`, 'not examined');
  await page.getByRole('button', { name: 'Examine' }).click();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'It lists its tools to you' })
    .getByText('passed')
    .last()
    .waitFor();
  await page.getByText('ready', { exact: true }).waitFor();
  await open(page, '/', '1 connector is ready');
});

it('shows a viewer what they may not do, and the services refuse it', async () => {
  const { page } = await visitAs(VIEWER);
  for (const [path, shown, control] of [
    ['/connectors', 'Reference tools', 'Add connector'],
    ['/agents', 'Helper', 'Add agent'],
    ['/sites', 'Shop', 'Add site'],
  ] as const) {
    await open(page, path, shown);
    const button = page.getByRole('button', { name: control });
    expect([path, await button.getAttribute('aria-disabled')]).toEqual([path, 'true']);
    await button.click({ force: true });
    expect([path, await page.getByRole('dialog').count()]).toEqual([path, 0]);
  }
  const sent = await Promise.all([
    askByHand(page, 'POST', '/bff/api/agents', { name: 'Mine' }),
    askByHand(page, 'POST', '/bff/api/sites', { name: 'Mine' }),
    askByHand(page, 'DELETE', `/bff/api/connectors/${scene.CONNECTOR}`),
  ]);
  expect(sent).toEqual([403, 403, 403]);
});

it('signs out completely, and no token was ever in the browser', async () => {
  const { page, context, received, complaints } = await visitAs(alice.email);
  const seen: string[] = [];
  for (const [path, shown] of pages()) {
    await open(page, path, shown);
    seen.push((await kept(page)).text);
  }
  await callWhoami(page);
  await page.getByRole('region', { name: 'Result' }).getByText(alice.id).first().waitFor();
  const { names, text } = await kept(page);
  expect(names).toEqual([]);
  await page.keyboard.press('Escape');

  // The identity provider, on the same host, has cookies of its own.
  const cookies = (await context.cookies(stack.urls.console)).filter(({ name }) =>
    name.startsWith('console'),
  );
  expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([
    ['console', true, 'Strict'],
  ]);
  await page.getByRole('button', { name: ', your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Signed out' }).waitFor();
  await context.addCookies(cookies);
  expect(await askByHand(page, 'GET', '/bff/session')).toBe(204);
  complaints.length = 0;
  await page.goto(stack.urls.console);
  await page.getByRole('heading', { level: 1, name: 'Sign in to the console' }).waitFor();
  expect(complaints).toEqual([]);

  const secrets = secretsOfTheRun();
  // Access, ID and refresh token of this sign-in alone are three.
  expect(secrets.length).toBeGreaterThan(3);
  const all = [...seen, text, await received()].join('\n');
  expect(all).toContain('Reference tools');
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
  expect(all.match(/eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/)).toBeNull();
});
