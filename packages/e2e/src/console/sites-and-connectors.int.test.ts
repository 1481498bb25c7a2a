import { expect } from '@jest/globals';
import { scene, text } from '@legate/dev';
import { needs } from '@legate/testing';
import type { Page } from 'playwright-core';
import { addMember, apiAs } from './people.ts';
import { setStage } from './stage.ts';
import { askByHand } from './visit.ts';

const { it, path } = needs('night', 'Chromium');
const ALICE = scene.USERS.alice.email;
const VIEWER = 'vera@acme.example';

let asAlice: Awaited<ReturnType<typeof apiAs>>;
let siteId: string;
let agentId: string;

const stage = setStage(path.Chromium, async (stack) => {
  await addMember(stack, { email: VIEWER, name: 'Vera', role: 'viewer' });
  asAlice = await apiAs(stack, ALICE);
  siteId = text(await asAlice('POST', '/sites', { name: 'Shop' }), 'id');
  agentId = text(await asAlice('POST', '/agents', { name: 'Helper', status: 'active' }), 'id');
});

/** Chooses an item of the menu of the page or of a row. */
async function choose(page: Page, entry: string, menu = 'Actions'): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

it('renames a site, and does not overwrite a change that another user has made meanwhile', async () => {
  const page = await stage.pageOf(ALICE, `/sites/${siteId}`);
  await choose(page, 'Rename');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Store');
  await asAlice('PATCH', `/sites/${siteId}`, { name: 'Market' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Changed in the meantime').waitFor();
  await dialog.getByRole('button', { name: 'Load it again' }).click();
  await dialog.getByText('Changed in the meantime').waitFor({ state: 'detached' });
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Market');
  await dialog.getByText('You had entered: Store').waitFor();
  await dialog.getByLabel('Name').fill('Shop');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
  expect(await asAlice('GET', `/sites/${siteId}`)).toMatchObject({ name: 'Shop' });
});

it('embeds an agent as the default, and removes it again', async () => {
  const page = await stage.pageOf(ALICE, `/sites/${siteId}`);
  await page.getByRole('button', { name: 'Add agent' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Agent', { exact: true }).selectOption(agentId);
  await dialog.getByRole('button', { name: 'Add agent' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Helper' });
  await row.getByText('default', { exact: true }).waitFor();
  const links = () => asAlice('GET', `/sites/${siteId}/agents`);
  expect(await links()).toMatchObject({ data: [{ agent_id: agentId, is_default: true }] });
  await choose(page, 'No longer the default', 'Actions for “Helper”');
  await row.getByText('default', { exact: true }).waitFor({ state: 'detached' });
  await choose(page, 'Remove agent', 'Actions for “Helper”');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove agent' }).click();
  await page.getByText('No agent is embedded here.').waitFor();
  expect(await links()).toMatchObject({ data: [] });
});

it('explains why an origin may not embed the agents, and finds the site by one that may', async () => {
  await asAlice('POST', `/sites/${siteId}/origins`, { origin: 'https://shop.example' });
  const page = await stage.pageOf(ALICE, `/sites/${siteId}`);
  const tried = page.getByRole('main').locator('section').filter({ hasText: 'Try an origin' });
  for (const [origin, said] of [
    ['https://other.example', 'The site has no such origin.'],
    ['https://shop.example/cart', 'An origin has no path'],
    ['https://shop.example', 'allowed'],
  ] as const) {
    await tried.getByLabel('Origin').fill(origin);
    await tried.getByRole('button', { name: 'Try' }).click();
    await tried.getByText(said, { exact: said === 'allowed' }).waitFor();
  }
  await page.goto(`${stage.stack.urls.console}/sites?search=${encodeURIComponent('https://shop.example')}`);
  await page.getByRole('link', { name: 'Shop' }).waitFor();
  await page.goto(`${stage.stack.urls.console}/sites?search=${encodeURIComponent('https://other.example')}`);
  await page.getByText('Nothing matches.').waitFor();
  await asAlice('DELETE', `/sites/${siteId}/origins?origin=${encodeURIComponent('https://shop.example')}`);
});

it('names the sites of an agent before it deletes the agent anyway', async () => {
  const id = text(await asAlice('POST', '/agents', { name: 'Guide', status: 'active' }), 'id');
  await asAlice('PUT', `/sites/${siteId}/agents/${id}`, { is_default: false });
  const page = await stage.pageOf(ALICE, `/agents/${id}`);
  await page.getByRole('button', { name: 'Delete agent' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete agent' }).click();
  await dialog.getByText('Shop', { exact: true }).waitFor();
  await dialog.getByText(siteId).waitFor();
  expect(await asAlice('GET', `/agents/${id}`)).toMatchObject({ name: 'Guide' });
  await dialog.getByRole('button', { name: 'Delete anyway' }).click();
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  await expect(asAlice('GET', `/agents/${id}`)).rejects.toThrow('404');
});

it('removes an origin after a confirmation', async () => {
  await asAlice('POST', `/sites/${siteId}/origins`, { origin: 'https://shop.example' });
  const page = await stage.pageOf(ALICE, `/sites/${siteId}`);
  const origins = async () => asAlice('GET', `/sites/${siteId}/origins`);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  expect(await origins()).toMatchObject({ data: [{ origin: 'https://shop.example' }] });
  await page.getByRole('dialog').getByRole('button', { name: 'Remove origin' }).click();
  await page.getByText('No origin may embed its agents yet.').waitFor();
  expect(await origins()).toMatchObject({ data: [] });
});

it('deletes a site, and restores it from the message about the deletion', async () => {
  const page = await stage.pageOf(ALICE, `/sites/${siteId}`);
  await choose(page, 'Delete site');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete site' }).click();
  await page.getByText('A site is an application that embeds agents.').waitFor();
  await expect(asAlice('GET', `/sites/${siteId}`)).rejects.toThrow('404');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'Shop' }).waitFor();
  expect(await asAlice('GET', `/sites/${siteId}`)).toMatchObject({ name: 'Shop' });
});

it('sets name and scopes of a connector, and does not overwrite a change of another user', async () => {
  const connector = () => asAlice('GET', `/connectors/${scene.CONNECTOR}`);
  const before = await connector();
  const page = await stage.pageOf(ALICE, `/connectors/${scene.CONNECTOR}?tab=settings`);
  const main = page.getByRole('main');
  await main.getByLabel('Name', { exact: true }).fill('Reference');
  await main.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Reference', exact: true }).waitFor();
  expect(await connector()).toEqual({
    ...(before as object),
    name: 'Reference',
    updated_at: expect.any(String),
  });

  await main.getByLabel('Name', { exact: true }).fill('Mine');
  await asAlice('PATCH', `/connectors/${scene.CONNECTOR}`, { name: 'Reference tools' });
  await main.getByRole('button', { name: 'Save' }).click();
  await main.getByRole('button', { name: 'Load it again' }).click();
  await main.getByText('Changed in the meantime').waitFor({ state: 'detached' });
  expect(await main.getByLabel('Name', { exact: true }).inputValue()).toBe('Reference tools');
  expect(await connector()).toMatchObject({ name: 'Reference tools' });
});

it('sets the audience and the fallback of a connector', async () => {
  const page = await stage.pageOf(ALICE, `/connectors/${scene.CONNECTOR}?tab=settings`);
  const main = page.getByRole('main');
  await main.getByLabel('Audience of the ID-JAG').fill('https://tools.example');
  await main.getByLabel('Fallback').selectOption('oauth-pkce');
  await main.getByLabel('Further fallback').waitFor();
  await main.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The settings were saved').waitFor();
  expect(await asAlice('GET', `/connectors/${scene.CONNECTOR}`)).toMatchObject({
    audience: 'https://tools.example',
    fallback: ['oauth-pkce'],
  });
});

it('asks for the secret again if a change would send it to another issuer', async () => {
  const page = await stage.pageOf(ALICE, `/connectors/${scene.CONNECTOR}?tab=settings`);
  const main = page.getByRole('main');
  const secret = main.getByLabel('Client secret');
  await main.getByLabel('Issuer').fill('https://login.example');
  await secret.waitFor();
  await main.getByRole('button', { name: 'Save' }).click();
  await main.getByText('Send a secret, or enabled: false.').waitFor();
  expect(await secret.getAttribute('aria-invalid')).toBe('true');
});

it('shows a viewer the settings of sites and connectors, without a way to change them', async () => {
  const page = await stage.pageOf(VIEWER, `/connectors/${scene.CONNECTOR}?tab=settings`);
  const save = page.getByRole('main').getByRole('button', { name: 'Save' });
  expect(await save.getAttribute('aria-disabled')).toBe('true');
  await page.goto(`${stage.stack.urls.console}/sites/${siteId}`);
  const add = page.getByRole('button', { name: 'Add agent' });
  expect(await add.getAttribute('aria-disabled')).toBe('true');
  const sent = await Promise.all([
    askByHand(page, 'PATCH', `/bff/api/connectors/${scene.CONNECTOR}`, { name: 'Mine' }),
    askByHand(page, 'PATCH', `/bff/api/sites/${siteId}`, { name: 'Mine' }),
    askByHand(page, 'DELETE', `/bff/api/sites/${siteId}`),
    askByHand(page, 'PUT', `/bff/api/sites/${siteId}/agents/${agentId}`, { is_default: true }),
  ]);
  expect(sent).toEqual([403, 403, 403, 403]);
});
