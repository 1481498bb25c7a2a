import { expect } from '@jest/globals';
import { scene, text } from '@legate/dev';
import { needs } from '@legate/testing';
import type { Page } from 'playwright-core';
import { soon } from '../soon.ts';
import { type AskApi, addMember, apiAs, countEvents, untilInTrail } from './people.ts';
import { setStage } from './stage.ts';
import { askByHand } from './visit.ts';

/** Tests the primary action of each page as an owner, a developer and a viewer. */

const { it, path } = needs('night', 'Chromium');

const PEOPLE = {
  owner: scene.USERS.alice.email,
  developer: 'devon@acme.example',
  viewer: 'vera@acme.example',
} as const;
type RoleName = keyof typeof PEOPLE;
const ROLES = Object.keys(PEOPLE) as RoleName[];

let asAlice: AskApi;
const made = { site: '', agents: { owner: '', developer: '', viewer: '' } };
const userIds: Record<string, string> = {};

const stage = setStage(path.Chromium, async (stack) => {
  await addMember(stack, { email: PEOPLE.developer, name: 'Devon', role: 'developer' });
  await addMember(stack, { email: PEOPLE.viewer, name: 'Vera', role: 'viewer' });
  asAlice = await apiAs(stack, PEOPLE.owner);
  made.site = text(await asAlice('POST', '/sites', { name: 'Shop' }), 'id');
  for (const role of ROLES) {
    userIds[role] = text(await (await apiAs(stack, PEOPLE[role]))('GET', '/me'), 'user', 'id');
    made.agents[role] = text(await asAlice('POST', '/agents', { name: `For ${role}` }), 'id');
  }
});

interface PrimaryAction {
  /** The page, as a person with this role opens it */
  at(role: RoleName): string;
  /** The name of the button, which also sends the form if no other is given */
  readonly button: string;
  readonly may: readonly RoleName[];
  /** Fills the form that the button opens, and sends it */
  readonly fill?: (page: Page, name: string) => Promise<void>;
  readonly byHand: readonly [method: string, path: (role: RoleName) => string, body?: object];
  /** The path of the API that shows the effect, and what it then contains */
  readonly effect: (role: RoleName, name: string) => readonly [path: string, contained: string];
  /** The action in the audit trail */
  readonly audited: string;
}

const send = (label: string, button: string) => async (page: Page, value: string) => {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(label, { exact: true }).fill(value);
  await dialog.getByRole('button', { name: button }).click();
};
const address = (name: string) => `${name}@acme.example`;
const origin = (name: string) => `https://${name}.example`;

const PRIMARY_ACTIONS: readonly PrimaryAction[] = [
  {
    ...{ at: () => '/agents', button: 'Add agent', may: ['owner', 'developer'], audited: 'agent.created' },
    fill: send('Name', 'Add agent'),
    byHand: ['POST', () => '/agents', { name: 'Mine' }],
    effect: (_role, name) => [`/agents?search=${name}`, name],
  },
  {
    at: (role) => `/agents/${made.agents[role]}`,
    ...{ button: 'Bind connector', may: ['owner', 'developer'], audited: 'agent.connector_set' },
    async fill(page) {
      await page.getByLabel('Connector', { exact: true }).selectOption(scene.CONNECTOR);
      await page.getByLabel('whoami').check();
      await page.getByRole('button', { name: 'Save binding' }).click();
    },
    byHand: ['PUT', (role) => `/agents/${made.agents[role]}/connectors/${scene.CONNECTOR}`, {}],
    effect: (role) => [`/agents/${made.agents[role]}/connectors`, '"tools":["whoami"]'],
  },
  {
    ...{ at: () => '/sites', button: 'Add site', may: ['owner', 'developer'], audited: 'site.created' },
    fill: send('Name', 'Add site'),
    byHand: ['POST', () => '/sites', { name: 'Mine' }],
    effect: (_role, name) => [`/sites?search=${name}`, name],
  },
  {
    at: () => `/sites/${made.site}`,
    ...{ button: 'Add origin', may: ['owner', 'developer'], audited: 'site.origin_added' },
    byHand: ['POST', () => `/sites/${made.site}/origins`, { origin: 'https://mine.example' }],
    effect: (_role, name) => [`/sites/${made.site}/origins`, origin(name)],
  },
  {
    ...{ at: () => '/members', button: 'Invite', may: ['owner'], audited: 'invitation.created' },
    fill: (page, name) => send('E-mail', 'Create link')(page, address(name)),
    byHand: ['POST', () => '/invitations', { email: 'mine@acme.example', role: 'viewer' }],
    effect: (_role, name) => [`/invitations?email=${encodeURIComponent(address(name))}`, '"pending"'],
  },
  {
    ...{ at: () => '/audit', button: 'Export CSV', may: ['owner'], audited: 'audit.exported' },
    byHand: ['GET', () => '/audit-events/export?format=csv'],
    effect: () => ['/audit-events?action=audit.exported', '"csv"'],
  },
  {
    ...{ at: () => '/settings', button: 'Save', may: ['owner'], audited: 'organization.updated' },
    byHand: ['PATCH', () => '/organization', { name: 'Mine' }],
    effect: (_role, name) => ['/organization', name],
  },
];

/** Fills what stands on the page itself, beside the button. */
async function prepare(page: Page, button: string, name: string): Promise<void> {
  if (button === 'Add origin') await page.getByLabel('Origin', { exact: true }).first().fill(origin(name));
  if (button === 'Save') await page.getByRole('main').getByLabel('Name', { exact: true }).fill(name);
}

it.each(ROLES)('the primary action of each page works for %s, or is refused with a reason', async (role) => {
  const { page } = await stage.visitAs(PEOPLE[role]);
  for (const { at, button, may, fill, byHand, effect, audited } of PRIMARY_ACTIONS) {
    const name = `${role}${audited.length}`;
    const [method, pathOf, body] = byHand;
    await page.goto(`${stage.stack.urls.console}${at(role)}`);
    const control = page.getByRole('main').getByRole('button', { name: button, exact: true }).first();
    await control.waitFor();
    if (may.includes(role)) {
      const events = `action=${audited}&actor_id=${userIds[role]}`;
      const before = await countEvents(asAlice, events);
      await prepare(page, button, name);
      await control.click();
      await fill?.(page, name);
      const [read, contained] = effect(role, name);
      await soon(true, async () => JSON.stringify(await asAlice('GET', read)).includes(contained));
      await untilInTrail(asAlice, events, before);
    } else {
      expect([button, await control.getAttribute('aria-disabled')]).toEqual([button, 'true']);
      const reason = page.locator(`[id="${await control.getAttribute('aria-describedby')}"]`);
      expect(await reason.textContent()).toContain(`Your role, ${role}, cannot do this.`);
      await control.click({ force: true });
      expect([button, await askByHand(page, method, `/bff/api${pathOf(role)}`, body)]).toEqual([button, 403]);
      expect([button, await page.getByRole('dialog').count()]).toEqual([button, 0]);
    }
  }
});

it.each(ROLES)('%s can read why, and sign out everywhere', async (role) => {
  const { page } = await stage.visitAs(PEOPLE[role]);
  await page.goto(`${stage.stack.urls.console}/audit`);
  await page.getByRole('link', { name: 'View' }).first().click();
  await page.getByRole('dialog', { name: 'What happened' }).getByText('Event', { exact: true }).waitFor();
  await page.goto(`${stage.stack.urls.console}/me`);
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click(); // the identity provider's question
  await page.getByRole('heading', { level: 1, name: 'Signed out' }).waitFor();
  expect(await askByHand(page, 'GET', '/bff/session')).toBe(204);
});
