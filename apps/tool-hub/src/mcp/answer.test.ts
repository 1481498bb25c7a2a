import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, jest } from '@jest/globals';
import { type AgentAnswer, createAgentAnswer } from './answer.ts';

const KEEP_ALIVE_MS = 15_000;
/** More than the system takes from us for somebody who does not read */
const LARGE = 16 * 1_048_576;

it.each<[string, (answer: AgentAnswer) => void]>([
  ['its answer', (answer) => answer.result(JSON.stringify('x'.repeat(LARGE)))],
  [
    'the end of what was cancelled',
    (answer) => {
      answer.progress({ progress: 2, message: 'x'.repeat(LARGE) });
      answer.end();
    },
  ],
])('writes nothing more after %s to an agent that does not read', async (_case, finish) => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  const responses: ServerResponse[] = [];
  const faults: unknown[] = [];
  const server = createServer((_req, res) => {
    responses.push(res.on('error', (err) => faults.push(err)));
    const answer = createAgentAnswer(res, { id: 1, progressToken: 'p', acceptsStream: true });
    answer.progress({ progress: 1 });
    finish(answer);
    server.emit('answered');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const answered = new Promise((resolve) => server.once('answered', resolve));
  const agent = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  agent.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
  try {
    await answered;
    expect(responses.map(({ writableFinished }) => writableFinished)).toEqual([false]);
    jest.advanceTimersByTime(2 * KEEP_ALIVE_MS);
    await new Promise((resolve) => setImmediate(resolve));
    expect(faults).toEqual([]);
  } finally {
    jest.useRealTimers();
    agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
