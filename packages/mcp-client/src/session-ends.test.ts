import { beforeEach, expect, it } from '@jest/globals';
import { createSessionEnds } from './session-ends.ts';

/** Requests without a response so far */
let running: { url: string; id: string; answer: () => void }[];
let seen: string[];
let ends: ReturnType<typeof createSessionEnds>;
beforeEach(() => {
  running = [];
  seen = [];
  ends = createSessionEnds({
    isInUse: () => false,
    aside: ({ url }, { headers }) =>
      new Promise((resolve) => {
        const id = String(headers[headers.indexOf('mcp-session-id') + 1]);
        seen.push(id);
        running.push({ url, id, answer: () => resolve(undefined) });
      }),
  });
});

function end(url: string, id: string): void {
  const place = {
    url,
    owner: 'alice',
    extensions: undefined,
    credential: { kind: 'access_token' as const, accessToken: 'token' },
  };
  ends.end({ session: { revision: '2025-11-25', id, running: 0 }, place });
}

/** Responds to requests until none is left. */
async function answerAll(): Promise<void> {
  const idle = ends.idle();
  while (running.length > 0) {
    for (const { answer } of running.splice(0)) answer();
    await new Promise(setImmediate);
  }
  await idle;
}

it('ends sessions at other servers while one does not respond', async () => {
  for (let session = 0; session < 120; session += 1)
    end(`https://slow.example/${session}`, `slow-${session}`);
  end('https://fast.example/', 'fast');
  expect(seen).toEqual(['slow-0', 'slow-1', 'slow-2', 'slow-3', 'slow-4', 'fast']);
  await answerAll();
  expect(seen).toHaveLength(121);
});

it('sends 50 requests at the same time', async () => {
  for (let session = 0; session < 120; session += 1) end(`https://${session}.example/`, `${session}`);
  expect(running).toHaveLength(50);
  for (const { answer } of running.splice(0, 3)) answer();
  await new Promise(setImmediate);
  expect([running.length, seen.slice(50)]).toEqual([50, ['50', '51', '52']]);
  await answerAll();
  expect(seen).toHaveLength(120);
});

it('drops the oldest of more than ten thousand waiting sessions', async () => {
  for (let session = 0; session < 10_007; session += 1) end('https://slow.example/', `${session}`);
  await answerAll();
  expect([seen.length, seen.slice(0, 7)]).toEqual([10_005, ['0', '1', '2', '3', '4', '7', '8']]);
});
