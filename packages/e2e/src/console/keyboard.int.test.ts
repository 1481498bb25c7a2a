/// <reference lib="dom" />
import { expect } from '@jest/globals';
import { scene } from '@legate/dev';
import { needs } from '@legate/testing';
import type { Page } from 'playwright-core';
import { addMember, apiAs } from './people.ts';
import { setStage } from './stage.ts';

/** Tests the console with a keyboard only. */

const { it, path } = needs('night', 'Chromium');
const OWNER = { email: 'keys@acme.example', name: 'Kay', role: 'owner' } as const;
const MOST_TABS = 60;

const stage = setStage(path.Chromium, async (stack) => {
  await addMember(stack, OWNER);
  // Its address is taken otherwise.
  await (await apiAs(stack, scene.USERS.alice.email))('DELETE', `/connectors/${scene.CONNECTOR}`);
});

/** Returns the text of the focused element, and whether its focus is visible. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element.matches('body, main'))
      return { name: '', visible: false };
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
    const name = element.getAttribute('aria-label') ?? labels.map(({ innerText }) => innerText).join(' ');
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const ringed = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
    const { top, bottom, width } = element.getBoundingClientRect();
    const inWindow = width > 0 && bottom > 0 && top < window.innerHeight;
    return { name: (name || element.innerText).trim(), visible: ringed && inWindow };
  });

function keys(page: Page) {
  const press = (key: string) => page.keyboard.press(key);
  /** Presses Tab until the element with this name has the focus, and checks that its focus is visible. */
  async function reach(name: string | RegExp, key = 'Tab'): Promise<void> {
    const passed: string[] = [];
    for (let at = 0; at < MOST_TABS; at++) {
      const now = await focused(page);
      if (typeof name === 'string' ? now.name.startsWith(name) : name.test(now.name)) {
        expect([now.name, now.visible]).toEqual([now.name, true]);
        return;
      }
      passed.push(now.name);
      await press(key);
    }
    throw new Error(`${name} cannot be reached; passed ${passed.join(' | ')}`);
  }
  return {
    press,
    reach,
    type: (text: string) => page.keyboard.type(text),
    async use(name: string | RegExp) {
      await reach(name);
      await press('Enter');
    },
  };
}

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

it('signs in, adds a connector, examines it, calls a tool, sees why, and signs out', async () => {
  const { page } = await stage.visit();
  const { press, reach, type, use } = keys(page);
  const { id, secret } = scene.TOOL_SERVER_CLIENTS.hub;

  await page.goto(stage.stack.urls.console);
  await heading(page, 'Sign in to the console');
  await use(/^Sign in/);
  await page.getByLabel('E-mail address').waitFor();
  await reach('E-mail address');
  await type(OWNER.email);
  await reach('Password');
  await type(scene.PASSWORD);
  await press('Enter');
  await heading(page, 'Home');

  // The skip link is first, and skips the navigation.
  await press('Tab');
  await reach('Skip to content');
  await press('Enter');
  await press('Tab');
  expect((await focused(page)).name).not.toMatch(/^(Legate|Home|Connectors|Search)/);

  await press('g');
  await press('c');
  await heading(page, 'Connectors');
  await use('Add connector');
  const form = page.getByRole('dialog', { name: 'Add connector' });
  await form.waitFor();
  await reach(/^Address/);
  await type(`${stage.stack.urls['reference-mcp-server']}/mcp`);
  await press('Tab');
  await reach(/^Name/);
  await type('By keyboard');
  await reach(/^Client id/);
  await type(id);
  await reach(/^Client secret/);
  await type(secret);
  await press('Enter');
  await heading(page, 'By keyboard');

  await use('Examine');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'It lists its tools to you' })
    .getByText('passed')
    .last()
    .waitFor();
  await reach('Examination');
  await press('ArrowLeft');
  await press('Enter');
  await page.getByText('list_notes', { exact: true }).waitFor();
  await use('Call as me');
  const panel = page.getByRole('dialog');
  await panel.waitFor();
  await reach(/^Call$/);
  await press('Enter');
  await panel.getByRole('region', { name: 'Result' }).waitFor();
  await press('Escape');
  await panel.waitFor({ state: 'detached' });
  expect((await focused(page)).name).toBe('Call as me');
  await press('Enter');
  await reach(/^Call$/);
  await press('Enter');
  await use('Why?');
  await page.getByRole('dialog', { name: 'Why was this allowed?' }).getByText('By keyboard').waitFor();
  await press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');

  await use(/, your account/);
  await page.getByRole('menu').waitFor();
  await reach(/^Sign out$/, 'ArrowDown');
  await press('Enter');
  await page.waitForURL(`${stage.stack.urls['mock-idp']}/**`);
  await use('Sign out');
  await heading(page, 'Signed out');
});
