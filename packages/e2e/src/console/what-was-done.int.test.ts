import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { createLegs, exchange, scene, signIn as signInAtApi, text } from '@legate/dev';
import { needs } from '@legate/testing';
import type { Page } from 'playwright-core';
import {
  CLIENT_AT_ACCOUNTS,
  type ConsentingToolServer,
  startConsentingToolServer,
} from '../consenting-tool-server.ts';
import { pageFaults } from '../page-faults.ts';
import { type AskApi, apiAs, untilInTrail } from './people.ts';
import { setStage } from './stage.ts';
import { askByHand, toolOf, type Visit } from './visit.ts';

/** Tests the pages that show calls made for a user, the reasons of refusals, and how to end access, in a browser. */

const { describe, it, path } = needs('night', 'Chromium');
const { alice } = scene.USERS;

const stage = setStage(path.Chromium);

async function open(page: Page, path: string, shown: string): Promise<void> {
  await page.goto(`${stage.stack.urls.console}${path}`);
  await page.getByRole('main').getByText(shown).first().waitFor();
}

/** Asks the management API as Alice, with a new sign-in for each request: some tests end every session of Alice. */
const askApi: AskApi = async (...request) => (await apiAs(stage.stack, alice.email))(...request);

/** An agent that has one tool of the connector. @returns its id */
async function addAgent(name: string): Promise<string> {
  const id = text(await askApi('POST', '/agents', { name, status: 'active' }), 'id');
  await askApi('PUT', `/agents/${id}/connectors/${scene.CONNECTOR}`, { tools: ['whoami'] });
  return id;
}

const statusOf = async (agentId: string): Promise<string> =>
  text(await askApi('GET', `/agents/${agentId}`), 'status');

/** A session of an application of Alice's at the hub. @returns its handle */
async function openHubSession(of: { agent_id?: string } = {}): Promise<string> {
  const { idToken } = await signInAtApi({ issuer: stage.stack.urls['mock-idp'], email: alice.email });
  const { status, answer } = await exchange(
    'POST',
    `${stage.stack.urls['tool-hub']}/api/v1/sessions`,
    { json: of },
    { Authorization: `Bearer ${idToken}` },
  );
  expect(status).toBe(201);
  return text(answer, 'session');
}

const isUsable = async (handle: string): Promise<boolean> =>
  (await createLegs(stage.stack.urls).callThroughHub(handle, 'whoami')).status === 200;
const isSignedIn = async ({ page }: Visit): Promise<boolean> =>
  (await askByHand(page, 'GET', '/bff/session')) === 200;

describe('sessions of one’s own', () => {
  const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });

  it('are listed, and can be ended one by one', async () => {
    const [here, elsewhere] = [await stage.visitAs(alice.email), await stage.visitAs(alice.email)];
    const handle = await openHubSession();
    const { page, complaints } = here;
    await open(page, '/me', 'this browser');
    await row(page, scene.IDP_CLIENTS.frontend.id).waitFor();
    expect([await isUsable(handle), await isSignedIn(elsewhere)]).toEqual([true, true]);

    await row(page, scene.IDP_CLIENTS.frontend.id).getByRole('button', { name: 'End' }).click();
    await row(page, scene.IDP_CLIENTS.frontend.id).waitFor({ state: 'detached' });
    expect([await isUsable(handle), await isSignedIn(elsewhere)]).toEqual([false, true]);

    const others = row(page, 'at this console').filter({ hasNotText: 'this browser' });
    await others.getByRole('button', { name: 'End' }).click();
    await others.waitFor({ state: 'detached' });
    expect([await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([true, false]);
    expect(complaints).toEqual([]);
  });

  it('all end by “Sign out everywhere”, also at the hub', async () => {
    const [here, elsewhere] = [await stage.visitAs(alice.email), await stage.visitAs(alice.email)];
    const handle = await openHubSession();
    const { page } = here;
    await open(page, '/me', 'this browser');
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click(); // the identity provider's question
    await page.getByRole('heading', { level: 1, name: 'Signed out' }).waitFor();
    expect([await isUsable(handle), await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

it('links an action in my name to its event', async () => {
  const { page, complaints } = await stage.visitAs(alice.email);
  const { idToken } = await signInAtApi({ issuer: stage.stack.urls['mock-idp'], email: alice.email });
  await createLegs(stage.stack.urls).callThroughHub(idToken, 'whoami');
  await untilInTrail(askApi, `action=tool.called&actor_id=${alice.id}`);
  await open(page, '/me', 'You called');
  const row = page.getByRole('row').filter({ hasText: 'whoami' }).first();
  await row.getByRole('link').click();
  await page.getByRole('dialog', { name: 'Why was this allowed?' }).getByText('Reference tools').waitFor();
  expect(complaints).toEqual([]);
});

it('tells an agent that proved itself from one that the application only named', async () => {
  const agent = await addAgent('Helper');
  const address = `${stage.stack.urls['tool-hub']}/api/v1/connectors/${scene.CONNECTOR}/tools/whoami/call`;
  const { idToken } = await signInAtApi({ issuer: stage.stack.urls['mock-idp'], email: alice.email });
  const named = { Authorization: `Bearer ${idToken}`, 'Legate-Agent-Id': agent };
  const bound = { Authorization: `Bearer ${await openHubSession({ agent_id: agent })}` };
  for (const headers of [named, bound])
    expect((await exchange('POST', address, { json: {} }, headers)).status).toBe(200);
  await untilInTrail(askApi, `action=tool.called&target_id=${agent}`, 1);
  const { page } = await stage.visitAs(alice.email);
  await open(page, `/audit?action=tool.*&target=${agent}`, 'via Helper (named by the application)');
  const row = page.getByRole('row').filter({ hasText: 'via Helper (proven)' });
  await row.getByRole('link', { name: 'Why' }).click();
  await page.getByRole('dialog').getByText('Proven: the session or the MCP client is bound').waitFor();
});

describe('a call that is refused', () => {
  beforeAll(() => addAgent('Support'));

  it('is one click away from its reason, which links to the binding', async () => {
    const { page } = await stage.visitAs(alice.email);
    await open(page, `/connectors/${scene.CONNECTOR}?tab=tools`, 'list_notes');
    await toolOf(page, 'list_notes').getByRole('button', { name: 'Call as me' }).click();
    await page.getByLabel('Through').selectOption({ label: 'Support' });
    await page.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('link', { name: 'Why?' }).click();
    const why = page.getByRole('dialog', { name: 'Why was this refused?' });
    await why.getByText('tool_not_bound').waitFor();
    await why.getByText('via Support (named by the application)').waitFor();
    await why.getByRole('link', { name: 'Open binding' }).click();
    await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor();
  });

  it('is counted on Home with a link to the call, and is in the export', async () => {
    await untilInTrail(askApi, 'action=tool.denied');
    const { page } = await stage.visitAs(alice.email);
    await page.getByRole('link', { name: 'tool not bound to the agent' }).click();
    await page.getByRole('button', { name: 'Rule tool_not_bound' }).waitFor();
    const rows = page.getByRole('row').filter({ hasText: 'list_notes' });
    await rows.first().waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'allowed' }).count()).toBe(0);

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('audit-events.csv');
    const lines = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/);
    expect(lines[0]).toMatch(/^id,/);
    expect(lines.slice(1)).toHaveLength(await rows.count());
    for (const line of lines.slice(1)) expect(line).toContain('tool.denied');
    await open(page, '/audit', 'exported the trail');
  });
});

describe('the audit trail', () => {
  it('shows a new event in an empty list, and holds others behind a button while a panel is open', async () => {
    const { page } = await stage.visitAs(alice.email);
    await open(page, '/audit?action=site.*', 'Nothing matches.');
    await page.getByText(/^Live, every \d+ s$/).waitFor();
    await askApi('POST', '/sites', { name: 'Shop' });
    const rows = page.getByRole('row').filter({ hasText: 'created site' });
    await rows.getByRole('link', { name: 'View' }).click();
    await page.getByRole('dialog', { name: 'What happened' }).waitFor();
    await askApi('POST', '/sites', { name: 'Store' });
    const fresh = page.getByRole('button', { name: 'Show 1 new' });
    await fresh.waitFor();
    expect(await rows.count()).toBe(1);
    await page.keyboard.press('Escape');
    await fresh.click();
    await rows.filter({ hasText: 'Store' }).waitFor();
    await page.keyboard.press('p');
    await page.getByText('Paused', { exact: true }).waitFor();
  });

  it('does not follow a chosen range, and shows it with the total', async () => {
    const { page } = await stage.visitAs(alice.email);
    await open(page, '/audit?from=2020-01-01&to=2020-01-02', 'There are no events in this range.');
    await page.getByText(/^1\s*–\s*2 Jan 2020 · 0 events$/).waitFor();
    expect(await page.getByText(/^Live, every/).count()).toBe(0);
  });

  it('is filtered by a person and a connector that are chosen by name, both in the URL', async () => {
    const { page } = await stage.visitAs(alice.email);
    await open(page, '/audit', 'Alice');
    await page.getByLabel('Anybody').fill('Alice');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'By Alice' }).waitFor();
    await page.getByLabel('Connector or agent').fill('Reference tools');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/audit?actor=${alice.id}&target=${scene.CONNECTOR}`);
  });
});

describe('an agent', () => {
  it('marks a tool of its binding that the tool server does not offer', async () => {
    const id = await addAgent('Typing desk');
    await askApi('PUT', `/agents/${id}/connectors/${scene.CONNECTOR}`, { tools: ['whoami', 'whoamy'] });
    const { page } = await stage.visitAs(alice.email);
    await open(page, `/agents/${id}`, 'whoamy');
    await page.getByRole('row').filter({ hasText: 'whoamy' }).getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: 'Edit the binding' });
    await form.getByText('not offered now').waitFor();
    expect(await form.getByText('not offered now').count()).toBe(1);
    expect(await form.getByLabel('whoamy').getAttribute('aria-invalid')).toBe('true');
  });

  it('can be made a draft and active again, without overwriting a change made meanwhile', async () => {
    const id = await addAgent('Night desk');
    const { page } = await stage.visitAs(alice.email);
    await open(page, `/agents/${id}`, 'Reference tools');
    await page.getByRole('button', { name: 'Change status' }).click();
    await page.getByRole('menuitem', { name: 'Make a draft' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make a draft' }).click();
    await page.getByText('Only active agents can be used').waitFor();
    expect(await statusOf(id)).toBe('draft');
    await page.getByRole('button', { name: 'Change status' }).click();
    await page.getByRole('menuitem', { name: 'Make active' }).click();
    await page.getByText('Only active agents can be used').waitFor({ state: 'detached' });
    expect(await statusOf(id)).toBe('active');

    await page.getByRole('button', { name: 'Edit', exact: true }).last().click();
    await askApi('PATCH', `/agents/${id}`, { instructions: 'Be brief.' });
    const form = page.getByRole('dialog', { name: 'Edit the agent' });
    await form.getByLabel('Instructions').fill('Be long.');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Changed in the meantime').waitFor();
    await form.getByRole('button', { name: 'Load it again' }).click();
    await form.getByText('Be brief.').waitFor();
    await form.getByLabel('Instructions').fill('Be kind.');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('main').getByText('Be kind.').waitFor();
  });

  it('can be given a tool and a scope of a connector', async () => {
    const id = await addAgent('Day desk');
    const { page, complaints } = await stage.visitAs(alice.email);
    await open(page, `/agents/${id}`, 'whoami');
    await page.getByRole('row').filter({ hasText: 'whoami' }).getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: 'Edit the binding' });
    await form.getByLabel('list_notes').check();
    await form.getByLabel('All scopes of the connector').uncheck();
    await form.getByLabel('mcp:tools:read').uncheck();
    await form.getByRole('button', { name: 'Save binding' }).click();
    await page.getByText('whoami, list_notes').waitFor();
    const binding = await askApi('GET', `/agents/${id}/connectors/${scene.CONNECTOR}`);
    expect(binding).toMatchObject({ tools: ['whoami', 'list_notes'], scopes: ['mcp:tools:call'] });
    expect(complaints).toEqual([]);
  });
});

it('shows the claims of each token of a call, and no token itself', async () => {
  const { page, complaints, received } = await stage.visitAs(alice.email);
  await open(page, '/inspector', 'Runs the steps of a tool call');
  await page.getByRole('button', { name: 'Run as me' }).click();
  const steps = page.getByRole('list', { name: 'How far it got' }).getByRole('listitem');
  await steps.filter({ hasText: 'Call' }).getByText('checked by the hub').first().waitFor();
  expect(await steps.filter({ hasText: 'checked by the hub' }).count()).toBe(4);
  const claim = (name: string) =>
    page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
  expect((await claim('sub').innerText()).split(alice.id)).toHaveLength(4);
  expect(await claim('typ').innerText()).toContain('oauth-id-jag+jwt');
  expect(await claim('jti').innerText()).toContain('sha256:');
  expect(await pageFaults(page)).toEqual([]);
  expect((await received()).match(/eyJ[\w-]{10,}\.[\w-]{10,}/)).toBeNull();
  expect(complaints).toEqual([]);
});

describe('an account at a tool server', () => {
  let server: ConsentingToolServer;
  let connectorId: string;
  beforeAll(async () => {
    server = await startConsentingToolServer(['secret-there']);
    const connector = await askApi('POST', '/connectors', {
      ...{ name: 'Accounts', resource_url: server.url, auth_method: 'id-jag', fallback: ['oauth-pkce'] },
      ...{ client_id: CLIENT_AT_ACCOUNTS, secret: 'secret-there', scopes: ['tools'] },
    });
    connectorId = text(connector, 'id');
  });
  afterAll(() => server?.stop());

  it('can be connected from the tools of the connector, and leads back to them', async () => {
    const { page } = await stage.visitAs(alice.email);
    await open(page, `/connectors/${connectorId}?tab=tools`, 'This tool server needs an account of yours.');
    const returned = page.waitForRequest((request) => request.url().includes('/me/accounts?'));
    await page.getByRole('main').getByRole('button', { name: 'Connect your account' }).click();
    await returned;
    await page.waitForURL(`**/connectors/${connectorId}?tab=tools`);
    await page.getByRole('alert').first().waitFor(); // this tool server has no tools
    expect(await page.getByText('needs an account of yours').count()).toBe(0);
    expect(await askByHand(page, 'DELETE', `/bff/hub/connectors/${connectorId}/connections`)).toBe(204);
  });

  it('can be connected and disconnected on the page Me', async () => {
    const { page } = await stage.visitAs(alice.email);
    await open(page, '/me', 'not connected');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('Your account is connected.').waitFor();
    const row = page.getByRole('row').filter({ hasText: server.url });
    await row.getByText('connected', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await row.getByText('not connected').waitFor();
  });
});
