import { expect } from '@jest/globals';
import { exchange, scene } from '@legate/dev';
import { needs } from '@legate/testing';
import type { Page } from 'playwright-core';
import { soon } from '../soon.ts';
import { addMember, apiAs } from './people.ts';
import { setStage } from './stage.ts';
import { askByHand } from './visit.ts';

const { it, path } = needs('night', 'Chromium');
const ALICE = scene.USERS.alice.email;
const DEVON = 'devon@acme.example';
const VIEWER = 'vera@acme.example';

let asAlice: Awaited<ReturnType<typeof apiAs>>;

const stage = setStage(path.Chromium, async (stack) => {
  await addMember(stack, { email: DEVON, name: 'Devon', role: 'developer' });
  await addMember(stack, { email: VIEWER, name: 'Vera', role: 'viewer' });
  asAlice = await apiAs(stack, ALICE);
  for (const email of [DEVON, VIEWER]) await (await apiAs(stack, email))('GET', '/me');
});

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** Chooses an item of a row's menu. */
async function choose(page: Page, name: string, entry: string): Promise<void> {
  await rowOf(page, name).getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

const devonNow = () => asAlice('GET', `/members?search=${encodeURIComponent(DEVON)}&status=any`);
const oneWith = (fields: object) => expect.objectContaining({ data: [expect.objectContaining(fields)] });

it('invites somebody by a link that is shown once, and withdraws it', async () => {
  const page = await stage.pageOf(ALICE, '/members');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('not an address');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByLabel('E-mail').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel('E-mail').fill('guest@acme.example');
  await dialog.getByLabel('Role').selectOption('developer');
  await page.keyboard.press('Enter');
  const link = (await dialog.getByRole('region', { name: 'Link' }).textContent()) ?? '';
  // The address takes the token into a cookie, and leads on without it.
  const followed = await exchange('GET', link);
  expect([followed.status, followed.answerHeaders.get('location')]).toEqual([
    303,
    expect.stringMatching(/onboarding$/),
  ]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(link.slice(-30));

  await page.getByRole('tab', { name: 'Invitations (1)' }).click();
  await choose(page, 'guest@acme.example', 'Withdraw');
  await page.getByRole('button', { name: 'Withdraw invitation' }).click();
  await page.getByText('No invitation is open.').waitFor();
  expect(await asAlice('GET', '/invitations?email=guest%40acme.example')).toEqual(
    oneWith({ role: 'developer', state: 'revoked' }),
  );
});

it('changes a role, and the audit trail records it', async () => {
  const page = await stage.pageOf(ALICE, '/members');
  await page.getByRole('link', { name: 'Devon' }).click();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Role').selectOption('viewer');
  await panel.getByRole('button', { name: 'Save role' }).click();
  await rowOf(page, 'Devon').getByText('viewer', { exact: true }).waitFor();
  expect(await devonNow()).toEqual(oneWith({ role: 'viewer' }));
  expect(await asAlice('GET', '/audit-events?action=member.updated&limit=1')).toEqual(
    oneWith({ changes: { role: { from: 'developer', to: 'viewer' } } }),
  );
});

it('does not overwrite a change that another user has made meanwhile', async () => {
  const page = await stage.pageOf(ALICE, '/members');
  await page.getByRole('link', { name: 'Devon' }).click();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Role').selectOption('admin');
  const id = new URL(page.url()).searchParams.get('member');
  await asAlice('PATCH', `/members/${id}`, { role: 'developer' });
  await panel.getByRole('button', { name: 'Save role' }).click();
  await panel.getByText('Changed in the meantime').waitFor();
  expect(await devonNow()).toEqual(oneWith({ role: 'developer' }));
  await panel.getByRole('button', { name: 'Load it again' }).click();
  await panel.getByText('Changed in the meantime').waitFor({ state: 'detached' });
  expect(await panel.getByLabel('Role').inputValue()).toBe('developer');
  await panel.getByLabel('Role').selectOption('viewer');
  await panel.getByRole('button', { name: 'Save role' }).click();
  await panel.waitFor({ state: 'detached' });
  expect(await devonNow()).toEqual(oneWith({ role: 'viewer' }));
});

it('removes a member after their name was typed, and admits them again', async () => {
  const page = await stage.pageOf(ALICE, '/members');
  await choose(page, 'Devon', 'Remove');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type the name above').fill('Devo');
  await dialog.getByRole('button', { name: 'Remove member' }).click();
  await dialog.getByText('This is not the name above.').waitFor();
  expect(await devonNow()).toEqual(oneWith({ status: 'active' }));
  await dialog.getByLabel('Type the name above').fill('Devon');
  await page.keyboard.press('Enter');
  await rowOf(page, 'Devon').waitFor({ state: 'detached' });
  expect(await devonNow()).toEqual(oneWith({ status: 'removed' }));

  await page.getByLabel('Status').selectOption('removed');
  await choose(page, 'Devon', 'Reinstate');
  await page.getByRole('button', { name: 'Reinstate member' }).click();
  await page.getByText('Nothing matches.').waitFor();
  expect(await devonNow()).toEqual(oneWith({ status: 'active', role: 'viewer' }));
});

it('explains why the only owner cannot be removed', async () => {
  const page = await stage.pageOf(ALICE, '/members?search=Alice');
  await rowOf(page, 'Alice').getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).getByText('only owner').waitFor();
});

it('shows a viewer names and roles, and what they may not do', async () => {
  const page = await stage.pageOf(VIEWER, '/members');
  await rowOf(page, 'Alice').waitFor();
  expect(await page.getByRole('main').textContent()).not.toContain(ALICE);
  expect(await page.getByRole('tab').count()).toBe(0);
  const invite = page.getByRole('button', { name: 'Invite' });
  expect(await invite.getAttribute('aria-disabled')).toBe('true');
  await invite.click({ force: true });
  await rowOf(page, 'Devon').getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click({ force: true });
  expect(await page.getByRole('dialog').count()).toBe(0);
  const id = JSON.stringify(await devonNow()).match(/mem_\w+/)?.[0] ?? '';
  const sent = await Promise.all([
    askByHand(page, 'POST', '/bff/api/invitations', { email: 'mine@acme.example', role: 'viewer' }),
    askByHand(page, 'PATCH', `/bff/api/members/${id}`, { role: 'owner' }),
    askByHand(page, 'GET', '/bff/api/invitations'),
  ]);
  expect(sent).toEqual([403, 403, 403]);
});

/** Returns the secret in the dialog, closes the dialog, and checks that the page no longer contains the secret. */
async function shownKey(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  const key = (await dialog.getByRole('region', { name: 'API key' }).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(key);
  return key;
}

async function statusWith(key: string): Promise<number> {
  const address = `${stage.stack.urls['management-api']}/api/v1/sites`;
  return (await exchange('GET', address, {}, { Authorization: `Bearer ${key}` })).status;
}

it("renames the organization, and the page's header shows the new name", async () => {
  const page = await stage.pageOf(ALICE, '/settings');
  await page.getByLabel('Name', { exact: true }).fill('Acme Tools');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The settings were saved').waitFor();
  await page.getByRole('banner').getByText('Acme Tools', { exact: true }).waitFor();
  expect(await asAlice('GET', '/organization')).toEqual(expect.objectContaining({ name: 'Acme Tools' }));
  await asAlice('PATCH', '/organization', { name: 'Acme' });
  await page.getByLabel('Name', { exact: true }).fill('Acme of mine');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Load it again' }).click();
  await page.getByText('Changed in the meantime').waitFor({ state: 'detached' });
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Acme');
});

it('makes an API key that is shown once, rotates and revokes it', async () => {
  const page = await stage.pageOf(ALICE, '/settings?tab=accounts');
  await page.getByRole('button', { name: 'Add service account' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Pipeline');
  await page.getByRole('dialog').getByLabel('Role').selectOption('developer');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Pipeline' }).waitFor();

  await page.getByRole('button', { name: 'Create key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('CI');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Choose at least one scope.').waitFor();
  await dialog.getByLabel('sites:read').check();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const first = await shownKey(page);
  expect(await statusWith(first)).toBe(200);

  await choose(page, 'CI', 'Rotate');
  await dialog.getByLabel('The old key works for').selectOption('0');
  await dialog.getByRole('button', { name: 'Create new key' }).click();
  const second = await shownKey(page);
  await soon([401, 200], async () => [await statusWith(first), await statusWith(second)]);

  await choose(page, 'CI', 'Revoke');
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('This account has no live key.').waitFor();
  await soon(401, () => statusWith(second));
});

it('does not let a viewer change keys or the name of the organization', async () => {
  const page = await stage.pageOf(VIEWER, '/settings?tab=accounts');
  await page.getByText('Plan and limit').waitFor();
  expect(await page.getByRole('tab').count()).toBe(0);
  for (const name of ['Save', 'Delete organization'])
    expect([name, await page.getByRole('button', { name }).getAttribute('aria-disabled')]).toEqual([
      name,
      'true',
    ]);
  const sent = await Promise.all([
    askByHand(page, 'PATCH', '/bff/api/organization', { name: 'Mine' }),
    askByHand(page, 'DELETE', '/bff/api/organization?confirm=Acme'),
    askByHand(page, 'GET', '/bff/api/service-accounts'),
  ]);
  expect(sent).toEqual([403, 403, 403]);
});

it('leads a viewer to their own page after the sign-in', async () => {
  const { page } = await stage.visit();
  await page.goto(stage.stack.urls.console);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail address').fill(VIEWER);
  await page.getByLabel('Password').fill(scene.PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Vera' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/me');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});

it('deletes the organization once its name was typed, and an owner restores it', async () => {
  const page = await stage.pageOf(ALICE, '/settings');
  await page.getByRole('button', { name: 'Delete organization' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type the name above').fill('acme');
  await dialog.getByRole('button', { name: 'Delete organization' }).click();
  await dialog.getByText('This is not the name above.').waitFor();
  await dialog.getByLabel('Type the name above').fill('Acme');
  await page.keyboard.press('Enter');
  await page.getByText('The organization is deleted').waitFor();
  expect(await asAlice('GET', '/organization')).toEqual(expect.objectContaining({ status: 'deleted' }));
  await page.getByRole('button', { name: 'Restore organization' }).click();
  await page.getByText('The organization is deleted').waitFor({ state: 'detached' });
  expect(await asAlice('GET', '/organization')).toEqual(expect.objectContaining({ status: 'active' }));
});

it('shows on every page that the organization is deleted, and an owner can restore it there', async () => {
  const [alice, vera] = [await stage.pageOf(ALICE, '/agents'), await stage.pageOf(VIEWER, '/')];
  await asAlice('DELETE', '/organization?confirm=Acme');
  for (const page of [alice, vera]) {
    await page.goto(`${stage.stack.urls.console}/agents`);
    await page.getByRole('heading', { level: 1, name: 'The organization is deleted' }).waitFor();
  }
  expect(await vera.getByRole('button', { name: 'Restore organization' }).count()).toBe(0);
  await vera.getByText('Ask an owner to restore it. That is possible until').waitFor();
  expect(await vera.getByRole('main').getByRole('time').getAttribute('datetime')).toMatch(/^20\d\d-/);
  await alice.getByRole('button', { name: 'Restore organization' }).click();
  await alice.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  expect(await asAlice('GET', '/organization')).toEqual(expect.objectContaining({ status: 'active' }));
  await vera.reload();
  await vera.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
});
