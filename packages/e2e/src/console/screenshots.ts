import { mkdir, stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { createLegs, exchange, portsFrom, ROOT, scene, signIn as signInAtApi, text } from '@legate/dev';
import { needs } from '@legate/testing';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import { createPostgresServer, type PostgresProcess } from '../postgres-process.ts';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { insertPastCalls } from './past-calls.ts';
import { apiAs } from './people.ts';
import { signIn, visit } from './visit.ts';

/**
 * Writes the screenshots of the documentation (`npm run console:screenshots`). It is not a test, but needs the same
 * programs as tests.
 */

const IMAGES = `${ROOT}docs/images`;
const AT_MOST_BYTES = 200_000;
const { email } = scene.USERS.alice;
const { it, path } = needs('Chromium', 'PostgreSQL');
let chromium: Browser;
let postgres: PostgresProcess;
let stack: StackUnderTest;

beforeAll(async () => {
  postgres = await createPostgresServer(path.PostgreSQL);
  await postgres.start();
  // The ports that the documents name, which the pages show
  const options = { ports: portsFrom(process.env), databaseServer: postgres.url };
  [chromium, stack] = await Promise.all([launchChromium(path.Chromium), startStackUnderTest(options)]);
  await mkdir(IMAGES, { recursive: true });
  await makeCalls();
});
afterAll(async () => {
  await chromium?.close();
  await stack?.stop();
  await postgres?.remove();
});

/** Makes calls of a month, and some of today as Alice, of which the agent may not make all */
async function makeCalls(): Promise<void> {
  const api = await apiAs(stack, email);
  const name = 'Support desk';
  const id = text(await api('POST', '/agents', { name, status: 'active' }), 'id');
  await api('PUT', `/agents/${id}/connectors/${scene.CONNECTOR}`, { tools: ['whoami', 'list_notes'] });
  await api('POST', `/connectors/${scene.CONNECTOR}/check`);
  await insertPastCalls(stack.databaseUrl ?? '', { id, name });

  const { idToken } = await signInAtApi({ issuer: stack.urls['mock-idp'], email });
  const legs = createLegs(stack.urls);
  for (let call = 0; call < 8; call++) await legs.callThroughHub(idToken, 'whoami');
  for (const tool of ['list_notes', 'list_notes', 'delete_note'])
    await exchange(
      'POST',
      `${stack.urls['tool-hub']}/api/v1/connectors/${scene.CONNECTOR}/tools/${tool}/call`,
      { json: { arguments: {} } },
      { Authorization: `Bearer ${idToken}`, 'Legate-Agent-Id': id },
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
