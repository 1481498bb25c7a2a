import { mkdir, stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { createLegs, exchange, ROOT, scene, signIn as signInAtApi, text } from '@legate/dev';
import { needs } from '@legate/testing';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { signIn, visit } from './visit.ts';

/**
 * Writes the screenshots of the documentation (`npm run console:screenshots`). It is not a test, but needs the same
 * programs as tests.
 */

const IMAGES = `${ROOT}docs/images`;
const AT_MOST_BYTES = 200_000;
const { email } = scene.USERS.alice;
const { it, path } = needs('Chromium');
let chromium: Browser;
let stack: StackUnderTest;

beforeAll(async () => {
  [chromium, stack] = await Promise.all([launchChromium(path.Chromium), startStackUnderTest()]);
  await mkdir(IMAGES, { recursive: true });
  await makeCalls();
});
afterAll(async () => {
  await chromium?.close();
  await stack?.stop();
});

/** Calls of which some are refused: a tool that does not exist, and an agent without the connector */
async function makeCalls(): Promise<void> {
  const issuer = stack.urls['mock-idp'];
  const { idToken } = await signInAtApi({ issuer, email });
  const api = stack.urls['management-api'];
  const { accessToken } = await signInAtApi({ issuer, email, resource: api });
  const headers = { Authorization: `Bearer ${accessToken}` };
  const agent = { name: 'Support desk', status: 'active' };
  const { answer } = await exchange('POST', `${api}/api/v1/agents`, { json: agent }, headers);
  await exchange('POST', `${api}/api/v1/connectors/${scene.CONNECTOR}/check`, {}, headers);
  const legs = createLegs(stack.urls);
  for (let call = 0; call < 8; call++) await legs.callThroughHub(idToken, 'whoami');
  for (let call = 0; call < 3; call++)
    await exchange(
      'POST',
      `${stack.urls['tool-hub']}/api/v1/connectors/${scene.CONNECTOR}/tools/whoami/call`,
      { json: { arguments: {} } },
      { Authorization: `Bearer ${idToken}`, 'Legate-Agent-Id': text(answer, 'id') },
    );
}

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 375],
] as const)('takes the pictures in %s at %i pixels', async (colorScheme, width) => {
  const visitor = await visit(chromium, { colorScheme, viewport: { width, height: 800 } });
  const { page } = visitor;
  const take = async (name: string) => {
    const file = `${IMAGES}/console-${name}-${colorScheme}-${width}.png`;
    await page.screenshot({ path: file, animations: 'disabled' });
    expect((await stat(file)).size).toBeLessThan(AT_MOST_BYTES);
  };
  await signIn(visitor, stack.urls.console, email);
  await page.getByText('answers').first().waitFor();
  await page.getByText('allowed').first().waitFor();
  await take('home');
  if (width === 1280) {
    await page.goto(`${stack.urls.console}/connectors/${scene.CONNECTOR}?tab=tools`);
    await page.getByRole('button', { name: 'Call as me' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('region', { name: 'Result' }).waitFor();
    await take('call');
    await page.goto(`${stack.urls.console}/audit?outcome=refused`);
    await page.getByRole('link', { name: 'Why' }).first().click();
    await page.getByRole('list', { name: 'How far the call got' }).waitFor();
    await take('why');
    await page.goto(`${stack.urls.console}/inspector`);
    await page.getByRole('button', { name: 'Run as me' }).click();
    const claims = page.getByRole('heading', { name: 'What the tokens contain' });
    await claims.evaluate((heading) => heading.scrollIntoView());
    await take('inspector');
  }
  await visitor.context.close();
});
