import { afterAll, beforeAll, expect } from '@jest/globals';
import { scene, text } from '@legate/dev';
import { sendJson, startServer, type TestServer } from '@legate/service/testing';
import { needs } from '@legate/testing';
import type { Page } from 'playwright-core';
import { type AskApi, addMember, apiAs, countEvents, untilInTrail } from './people.ts';
import { setStage } from './stage.ts';
import { askByHand, toolOf } from './visit.ts';

/** Tests what each role can do with connectors and their tools: in the pages, and with requests sent by hand. */

const { it, path } = needs('night', 'Chromium');
const ALICE = scene.USERS.alice.email;
const DEVELOPER = 'dora@acme.example';
const VIEWER = 'vera@acme.example';
/** An administrator with an examination limit of their own: that of Alice is used up. */
const ADMINISTRATOR = 'ada@acme.example';
const REFERENCE = `/connectors/${scene.CONNECTOR}`;
const METADATA = '/.well-known/oauth-protected-resource';
const { id: CLIENT, secret: SECRET } = scene.TOOL_SERVER_CLIENTS.hub;

let asAlice: AskApi;
/** A tool server that trusts the authorization server of another one */
let elsewhere: TestServer;

const stage = setStage(path.Chromium, async (stack) => {
  await addMember(stack, { email: DEVELOPER, name: 'Dora', role: 'developer' });
  await addMember(stack, { email: ADMINISTRATOR, name: 'Ada', role: 'admin' });
  await addMember(stack, { email: VIEWER, name: 'Vera', role: 'viewer' });
  asAlice = await apiAs(stack, ALICE);
});
beforeAll(async () => {
  elsewhere = await startServer(({ url = '' }, res) => {
    if (!url.startsWith(METADATA)) return sendJson(res, 401, {});
    const issuer = stage.stack.urls['reference-mcp-server'];
    sendJson(res, 200, {
      resource: `${elsewhere.url}${url.slice(METADATA.length)}`,
      authorization_servers: [issuer],
    });
  });
});
afterAll(() => elsewhere?.stop());

async function idOf(email: string): Promise<string> {
  const { data } = (await asAlice('GET', `/members?search=${email}`)) as { data: { user_id: string }[] };
  return text(data[0], 'user_id');
}

/** The query for events of a person in the audit trail */
const eventsOf = async (action: string, email: string) => `action=${action}&actor_id=${await idOf(email)}`;

const isDisabled = async (page: Page, name: string): Promise<boolean> =>
  (await page.getByRole('button', { name, exact: true }).getAttribute('aria-disabled')) === 'true';

it('lets a viewer make the first call from Home, which then needs one line for the checklist', async () => {
  const page = await stage.pageOf(VIEWER, '/');
  await page.getByRole('button', { name: 'Call a tool' }).click();
  const panel = page.getByRole('dialog');
  await panel.getByText('whoami', { exact: true }).waitFor(); // read-only, and without arguments
  await panel.getByRole('button', { name: 'Call', exact: true }).click();
  await panel
    .getByRole('region', { name: 'Result' })
    .getByText(await idOf(VIEWER))
    .first()
    .waitFor();
  await untilInTrail(asAlice, await eventsOf('tool.called', VIEWER));
  await panel.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Your first tool was called').waitFor();
});

it.each([
  [ALICE, 1],
  [DEVELOPER, 0],
  [VIEWER, 0],
])('lets %s examine a connector, and call a tool as themselves', async (email, detailed) => {
  const page = await stage.pageOf(email, REFERENCE);
  await page.getByRole('button', { name: 'Examine' }).click();
  await toolOf(page, 'It lists its tools to you').getByText('passed').last().waitFor();
  expect(await page.getByLabel('Show what the hub saw in the other checks').count()).toBe(detailed);
  await untilInTrail(asAlice, await eventsOf('delegation.examined', email));

  const calls = await eventsOf('tool.called', email);
  const before = await countEvents(asAlice, calls);
  await page.getByRole('tab', { name: 'Tools' }).click();
  await toolOf(page, 'whoami').getByRole('button', { name: 'Call as me' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).click();
  await page
    .getByRole('region', { name: 'Result' })
    .getByText(await idOf(email))
    .first()
    .waitFor();
  await untilInTrail(asAlice, calls, before);
});

it.each([
  [ALICE, false, 200],
  [DEVELOPER, false, 200],
  [VIEWER, true, 403],
])('shows %s the tokens of a run only if their role allows it', async (email, disabled, status) => {
  const page = await stage.pageOf(email, '/inspector');
  await page.getByRole('main').getByLabel('Connector').waitFor();
  expect(await isDisabled(page, 'Run as me')).toBe(disabled);
  if (!disabled) {
    await page.getByRole('button', { name: 'Run as me' }).click();
    await page.getByRole('columnheader', { name: 'Access token' }).waitFor();
  }
  expect(await askByHand(page, 'POST', `/bff/hub${REFERENCE}/doctor`, { legs: true })).toBe(status);
});

it.each([[DEVELOPER], [VIEWER]])('lets %s change no connector', async (email) => {
  const page = await stage.pageOf(email, '/connectors');
  await page.getByRole('link', { name: 'Reference tools' }).waitFor();
  expect(await isDisabled(page, 'Add connector')).toBe(true);
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  const items = page.getByRole('menuitem');
  await items.filter({ hasText: 'It needs connectors:write' }).first().waitFor();
  expect(await items.count()).toBe(4);
  expect(await items.evaluateAll((all) => all.map((each) => each.getAttribute('aria-disabled')))).toEqual(
    Array.from({ length: 4 }, () => 'true'),
  );
  const connector = `/bff/api${REFERENCE}`;
  const sent = await Promise.all([
    askByHand(page, 'POST', '/bff/api/connectors', { name: 'Mine', resource_url: elsewhere.url }),
    askByHand(page, 'POST', '/bff/hub/doctor', { resource_url: elsewhere.url }),
    askByHand(page, 'PATCH', connector, { enabled: false }),
    askByHand(page, 'PUT', `${connector}/secret`, { secret: 'mine' }),
    askByHand(page, 'POST', `${connector}/revoke-tokens`),
    askByHand(page, 'POST', `${connector}/check`),
    askByHand(page, 'DELETE', connector),
  ]);
  expect(sent).toEqual(sent.map(() => 403));
});

it('looks at an address on Enter, saves a faulty connector disabled, and pins its issuer', async () => {
  const page = await stage.pageOf(ADMINISTRATOR, '/connectors?open=add');
  const dialog = page.getByRole('dialog');
  const issuer = stage.stack.urls['reference-mcp-server'];
  await dialog.getByLabel('Address').fill(`${elsewhere.url}/mcp`);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Trust this issuer' }).click();
  expect(await dialog.getByLabel('Issuer').inputValue()).toBe(issuer);
  await dialog.getByRole('button', { name: 'Trust this issuer' }).waitFor({ state: 'detached' });
  expect(await dialog.getByText('Enter a name.').count()).toBe(0); // the form was not sent
  await dialog.getByText('Chosen by what the authorization server supports').waitFor();

  await dialog.getByLabel('Issuer').fill('');
  await dialog.getByLabel('Name', { exact: true }).fill('Elsewhere');
  await dialog.getByLabel('Client id').fill(CLIENT);
  await dialog.getByLabel('Client secret').fill(SECRET);
  await dialog.getByRole('button', { name: 'Save and examine' }).click();
  await page.getByText('This connector is disabled').waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect(await asAlice('GET', `/connectors/${id}`)).toMatchObject({ enabled: false, issuer: null });
  await untilInTrail(asAlice, await eventsOf('connector.created', ADMINISTRATOR));

  await page.getByRole('button', { name: 'Pin it' }).click();
  await dialog.getByLabel('Client secret').fill(SECRET);
  await dialog.getByRole('button', { name: 'Pin issuer' }).click();
  await page.getByRole('button', { name: 'Pin it' }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'First fault' }).waitFor(); // it has others
  expect(await asAlice('GET', `/connectors/${id}`)).toMatchObject({
    ...{ enabled: false, issuer, has_secret: true },
  });
});

it('names connectors that need attention on Home, on request', async () => {
  const body = { name: 'Not pinned', resource_url: `${elsewhere.url}/other`, auth_method: 'id-jag' };
  const client = { client_id: CLIENT, secret: SECRET };
  const id = text(await asAlice('POST', '/connectors', { ...body, ...client }), 'id');
  await asAlice('POST', `/connectors/${id}/check`);
  const page = await stage.pageOf(ALICE, '/');
  const name = page.getByRole('link', { name: 'Not pinned' });
  await page.getByText('1 connector needs attention').waitFor();
  expect(await name.count()).toBe(0);
  await page.getByText('1 connector needs attention').click();
  await page.getByRole('listitem').filter({ has: name }).last().getByText('issuer not pinned').waitFor();
});

it('shows errors of arguments in the form and in JSON, asks before a change, and copies what it sent', async () => {
  const { page, context } = await stage.visitAs(ALICE);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${stage.stack.urls.console}${REFERENCE}?tab=tools`);
  await toolOf(page, 'create_note').getByRole('button', { name: 'Call as me' }).click();
  const panel = page.getByRole('dialog').first();
  const call = panel.getByRole('button', { name: 'Call', exact: true });
  await panel.getByRole('tab', { name: 'JSON' }).click();
  await panel.getByRole('textbox').fill('{"more": 1}');
  await call.click();
  await panel.getByRole('alert').getByText('“/text”: This is required.').waitFor();
  await panel.getByRole('tab', { name: 'Form' }).click();
  expect(await panel.getByLabel('text').getAttribute('aria-invalid')).toBe('true');
  await panel.getByLabel('text').fill('it’s "mine"');
  await panel.getByRole('tab', { name: 'JSON' }).click();
  expect(JSON.parse(await panel.getByRole('textbox').inputValue())).toEqual({ more: 1, text: 'it’s "mine"' });
  await panel.getByRole('textbox').fill('{"text": "it\'s mine"}');

  await call.click();
  const question = page.getByRole('dialog').last();
  await question.getByText('Call this tool as you?').waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
  await question.getByRole('button', { name: 'Call tool' }).click();
  const result = panel.getByRole('region', { name: 'Result' });
  await result.getByText('acts as you').waitFor();
  await panel.getByRole('textbox').fill('{"text": "changed"}');
  await result.getByRole('button', { name: 'Copy as curl' }).click();
  await result.getByText('Copied').first().waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('"Authorization: Bearer $ID_TOKEN"');
  expect(copied).toContain(`'{"arguments":{"text":"it'\\''s mine"}}'`);
});
