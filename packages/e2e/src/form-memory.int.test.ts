import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { findFreePort } from '@legate/service/testing';
import { needs } from '@legate/testing';
import { startExample, untilAnswers } from './examples/example-process.ts';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

const { it } = needs('night');

/**
 * Tests the memory of tool servers when unauthenticated clients send endless forms in chunks of one byte to the token
 * endpoint.
 */

const CONNECTIONS = 40;
/** Number of bytes that each connection sends: just below the maximum size of a form */
const CHUNKS = 65_000;
const MAX_GROWTH_MB = 150;
/** Time after which no more is written to a connection that accepts nothing */
const PATIENCE_MS = 2000;
/** Time in which a server reads the bytes in its sockets */
const READING_MS = 5000;

let stack: StackUnderTest;
beforeAll(async () => {
  stack = await startStackUnderTest({ services: ['mock-idp', 'reference-mcp-server'] });
});
afterAll(() => stack?.stop());

function memoryOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

async function drip(url: string): Promise<Socket> {
  const { hostname, port, pathname, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).resume();
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/x-www-form-urlencoded',
    'Transfer-Encoding: chunked',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  for (let sent = 0; sent < CHUNKS && socket.writable; sent += 1000) {
    if (socket.write('1\r\nx\r\n'.repeat(1000))) continue;
    // A server that has refused the form stops reading it.
    const taken = Promise.race([once(socket, 'drain'), once(socket, 'close')]).then(() => true);
    if (!(await Promise.race([taken, wait(PATIENCE_MS, false, { ref: false })]))) break;
  }
  return socket;
}

/** @returns megabytes that the process has gained, at most, while all connections are open */
async function growthUnderAttack(pid: number, url: string): Promise<number> {
  await fetch(url, { method: 'POST' });
  const before = memoryOf(pid);
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid));
  }, 50);
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => drip(url)));
  await wait(READING_MS);
  clearInterval(timer);
  peak = Math.max(peak, memoryOf(pid));
  for (const socket of sockets) {
    if (socket.closed) continue;
    socket.destroy();
    await once(socket, 'close');
  }
  return peak - before;
}

it('the reference server gains less than 150 MB', async () => {
  const url = `${stack.urls['reference-mcp-server']}/oauth/token`;
  expect(await growthUnderAttack(stack.pidOf('reference-mcp-server'), url)).toBeLessThan(MAX_GROWTH_MB);
});

it.each(['express', 'fastify', 'hono'])('a tool server on %s gains less than 150 MB', async (framework) => {
  const port = String(await findFreePort());
  const url = `http://localhost:${port}`;
  const env = { PORT: port, ISSUER: stack.urls['mock-idp'], HUB_SECRET: 'a-secret-of-32-characters-or-more' };
  const running = startExample(`tool-server-${framework}`, env);
  try {
    await untilAnswers(running, `${url}/.well-known/oauth-protected-resource`);
    const metadata = await fetch(`${url}/.well-known/oauth-authorization-server`);
    const { token_endpoint: endpoint } = (await metadata.json()) as { token_endpoint: string };
    expect(await growthUnderAttack(running.pid, endpoint)).toBeLessThan(MAX_GROWTH_MB);
  } finally {
    await running.stop();
  }
});
