import { expect } from '@jest/globals';
import { scene } from '@legate/dev';
import { needs } from '@legate/testing';
import { addMember, apiAs } from './people.ts';
import { setStage } from './stage.ts';

const { it, path } = needs('night', 'Chromium');
const ALICE = scene.USERS.alice.email;
const DEVON = 'devon@acme.example';

let asAlice: Awaited<ReturnType<typeof apiAs>>;

// A stack of its own: the requests of more pages would exceed Alice's share of the organization's limit.
const stage = setStage(path.Chromium, async (stack) => {
  await addMember(stack, { email: DEVON, name: 'Devon', role: 'developer' });
  asAlice = await apiAs(stack, ALICE);
  await (await apiAs(stack, DEVON))('GET', '/me');
});

const devonNow = () => asAlice('GET', `/members?search=${encodeURIComponent(DEVON)}&status=any`);
const oneWith = (fields: object) => expect.objectContaining({ data: [expect.objectContaining(fields)] });

it('ends the access of a member in their panel, deactivates and reinstates them', async () => {
  const page = await stage.pageOf(ALICE, '/members');
  const panel = page.getByRole('dialog', { name: 'Devon' });
  const act = async (action: string, button: string) => {
    await panel.getByRole('button', { name: action }).click();
    await page.getByRole('button', { name: button }).last().click();
    await panel.waitFor({ state: 'detached' });
  };
  await page.getByRole('link', { name: 'Devon' }).click();
  await panel.getByText('unknown whether verified').waitFor();
  await act('End access', 'End access');
  expect(await asAlice('GET', '/audit-events?action=member.*&limit=1')).toEqual(
    oneWith({ action: 'member.access_revoked' }),
  );
  await page.getByRole('link', { name: 'Devon' }).click();
  await act('Deactivate', 'Deactivate member');
  expect(await devonNow()).toEqual(oneWith({ status: 'deactivated' }));
  await page.getByLabel('Status').selectOption('deactivated');
  await page.getByRole('link', { name: 'Devon' }).click();
  await act('Reinstate', 'Reinstate member');
  expect(await devonNow()).toEqual(oneWith({ status: 'active' }));
});

it('shows a changed role in the audit list', async () => {
  const page = await stage.pageOf(ALICE, '/members');
  const panel = page.getByRole('dialog', { name: 'Devon' });
  await page.getByRole('link', { name: 'Devon' }).click();
  await panel.getByLabel('Role').selectOption('viewer');
  await panel.getByRole('button', { name: 'Save role' }).click();
  await panel.waitFor({ state: 'detached' });
  await page.goto(`${stage.stack.urls.console}/audit?action=member.*`);
  const row = page.getByRole('row').filter({ hasText: 'changed member Devon' });
  await row.getByText('role developer → viewer').waitFor();
});
