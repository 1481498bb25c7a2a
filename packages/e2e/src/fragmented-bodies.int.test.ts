import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { ServiceName } from '@legate/dev';
import { needs } from '@legate/testing';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

const { it } = needs('time');

/**
 * Tests unauthenticated clients that send an endless body in chunks of one byte: each endpoint refuses it after some
 * thousand chunks, and does not wait for more. Each chunk would need a hundred times the memory of its byte.
 */

let stack: StackUnderTest;
beforeAll(async () => {
  stack = await startStackUnderTest();
});
afterAll(() => stack?.stop());

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const ENTRIES: readonly [service: ServiceName, path: string, type: string][] = [
  ['reference-mcp-server', '/oauth/token', FORM],
  ['mock-idp', '/oauth/token', FORM],
  ['mock-idp', '/interaction/any', FORM],
  ['tool-hub', '/oauth/token', FORM],
  ['tool-hub', '/oauth/revoke', FORM],
  ['tool-hub', '/oauth/register', JSON_TYPE],
  ['tool-hub', '/oauth/backchannel-logout', FORM],
  ['management-api', '/onboarding/invitation/set-aside', FORM],
  ['console', '/bff/backchannel-logout', FORM],
];
/** More chunks than any endpoint accepts */
const CHUNKS = 20_000;

/** @returns the status that is sent before the body ends */
async function dripAt(url: string, type: string): Promise<number> {
  const { hostname, port, pathname, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
    if (answer.includes('\r\n\r\n')) socket.destroy();
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  const head = [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, `Content-Type: ${type}`];
  socket.write(`${head.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  for (let sent = 0; sent < CHUNKS && !socket.destroyed; sent += 1000) {
    if (!socket.write('1\r\nx\r\n'.repeat(1000))) await Promise.race([once(socket, 'drain'), closed]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await closed;
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

it.each(ENTRIES)('%s refuses it at %s', async (service, path, type) => {
  expect(await dripAt(`${stack.urls[service]}${path}`, type)).toBe(413);
});
