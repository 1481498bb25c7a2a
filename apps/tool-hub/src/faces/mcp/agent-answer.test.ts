import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, jest } from '@jest/globals';
import { membersOf } from '@legate/mcp-client';
import { AgentAnswer } from './agent-answer.ts';

const KEEP_ALIVE_MS = 15_000;
/** More bytes than the operating system buffers for a client that does not read */
const LARGE = 16 * 1_048_576;

interface Scene {
  readonly answer: AgentAnswer;
  readonly res: ServerResponse;
  readonly agent: Socket;
}

/** Opens a request of an agent that does not read the response. */
async function withSilentAgent(test: (scene: Scene) => Promise<void>): Promise<void> {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  agent.on('error', () => undefined); // the hub resets its connection
  agent.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
  try {
    const [, res] = (await once(server, 'request')) as [unknown, ServerResponse];
    const answer = new AgentAnswer(res, {
      id: '1',
      progressToken: '"p"',
      logLevel: undefined,
      acceptsStream: true,
    });
    await test({ answer, res, agent });
  } finally {
    jest.useRealTimers();
    agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const MAX_UNREAD_BYTES = 262_144;
const UNREAD_MS = 30_000;
const message = 'x'.repeat(10_000);

it('sends no progress while more than 256 KiB are unread by the agent', async () => {
  await withSilentAgent(async ({ answer, res }) => {
    for (let progress = 0; progress < 2000; progress += 1)
      answer.progress(membersOf(JSON.stringify({ progress, message })));
    expect(res.writableLength).toBeGreaterThan(MAX_UNREAD_BYTES - 2 * message.length);
    expect(res.writableLength).toBeLessThan(MAX_UNREAD_BYTES + 2 * message.length);
  });
});

it('closes a subscription of which more than 64 KiB are unread by the agent', async () => {
  await withSilentAgent(async ({ answer, res }) => {
    let sent = 0;
    for (; !res.destroyed && sent < 2000; sent += 1) answer.sendOnStream(JSON.stringify({ message }));
    expect(res.destroyed).toBe(true);
    expect(answer.presence.hasLeft).toBe(false); // the close event follows in the next turn of the event loop
    await once(res, 'close');
    expect(answer.presence.hasLeft).toBe(true);
    expect(sent).toBeGreaterThan(5);
  });
});

/** Writes until the operating system buffers nothing more for this agent. */
async function fill({ answer, res }: Scene): Promise<void> {
  for (let progress = 0; progress < 2000; progress += 1) {
    answer.progress(membersOf(JSON.stringify({ progress, message })));
    if (progress % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(res.writableLength).toBeGreaterThan(MAX_UNREAD_BYTES);
}

it('disconnects an agent that has read nothing for 30 seconds', async () => {
  await withSilentAgent(async (scene) => {
    await fill(scene);
    jest.advanceTimersByTime(UNREAD_MS - 1);
    expect(scene.res.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    await once(scene.res, 'close');
    expect(scene.answer.presence.hasLeft).toBe(true);
  });
});

it('sends progress again once the agent has read the backlog', async () => {
  await withSilentAgent(async (scene) => {
    const { answer, res, agent } = scene;
    await fill(scene);
    const drained = once(res, 'drain');
    agent.resume();
    await drained;
    jest.advanceTimersByTime(UNREAD_MS);
    expect(res.destroyed).toBe(false);
    let read = '';
    agent.setEncoding('utf8').on('data', (text: string) => {
      read = read.slice(-100) + text;
    });
    answer.progress(membersOf(JSON.stringify({ progress: 1, message: 'the last one' })));
    answer.result('{}');
    await once(agent, 'end');
    expect(read).toContain('the last one');
  });
});

it.each<[string, (answer: AgentAnswer) => void]>([
  ['its answer', (answer) => answer.result(JSON.stringify('x'.repeat(LARGE)))],
  [
    'the end of what was cancelled',
    (answer) => {
      answer.progress(membersOf(JSON.stringify({ progress: 2, message: 'x'.repeat(LARGE) })));
      answer.end();
    },
  ],
])('writes nothing after %s to an agent that does not read', async (_case, finish) => {
  await withSilentAgent(async ({ answer, res }) => {
    const faults: unknown[] = [];
    res.on('error', (err) => faults.push(err));
    answer.progress(membersOf(JSON.stringify({ progress: 1 })));
    finish(answer);
    expect(res.writableFinished).toBe(false);
    jest.advanceTimersByTime(2 * KEEP_ALIVE_MS);
    await new Promise((resolve) => setImmediate(resolve));
    expect(faults).toEqual([]);
  });
});
