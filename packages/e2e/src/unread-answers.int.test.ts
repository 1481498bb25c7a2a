import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { needs } from '@legate/testing';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

/** Tests the management API with a client that requests much and reads nothing. */

const { it } = needs('night');
/** More than the network buffers of client and server */
const MORE_THAN_BUFFERED = 40_000_000;
/** The service waits 20 seconds for a client that reads nothing. */
const EARLIEST_MS = 18_000;
const TIMEOUT_MS = 40_000;

let stack: StackUnderTest | undefined;
beforeAll(async () => {
  stack = await startStackUnderTest({ services: ['mock-idp', 'management-api'] });
});
afterAll(() => stack?.stop());

it('is disconnected after 20 seconds, while others are served', async () => {
  const url = stack?.urls['management-api'] ?? '';
  const path = '/api/v1/openapi.json';
  const document = await (await fetch(`${url}${path}`)).text();
  const client = connect(Number(new URL(url).port), '127.0.0.1').pause();
  const ended = new Promise<void>((resolve) => client.on('error', () => undefined).on('close', resolve));
  let isCut = false;
  void ended.then(() => (isCut = true));
  const since = performance.now();
  const count = Math.ceil(MORE_THAN_BUFFERED / document.length);
  client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(count));
  while (!isCut && performance.now() - since < TIMEOUT_MS) {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    // A client that does not read only notices by writing that the connection was closed.
    if (client.writable) client.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await Promise.race([ended, delay(1000, undefined, { ref: false })]);
  }
  expect(isCut).toBe(true);
  expect(performance.now() - since).toBeGreaterThan(EARLIEST_MS);
});
