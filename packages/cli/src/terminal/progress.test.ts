import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { createProgress } from './progress.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Sends requests that are answered when the test says so. */
function slowFetch(isTTY: boolean) {
  let written = '';
  const answers: (() => void)[] = [];
  const stream = { isTTY, write: (text: string) => (written += text) };
  const { shownBy, ...streams } = createProgress({ stdout: stream, stderr: stream });
  const send = () => new Promise<Response>((resolve) => answers.push(() => resolve(new Response())));
  return { fetch: shownBy(send), ...streams, answers, written: () => written };
}

it('says on a terminal what it waits for after a second, and erases that with the response', async () => {
  const { fetch, answers, written } = slowFetch(true);
  const response = fetch('https://hub.example/api?token=secret');
  jest.advanceTimersByTime(999);
  expect(written()).toBe('');
  jest.advanceTimersByTime(1);
  expect(written()).toBe('Waiting for hub.example …');
  answers[0]?.();
  await response;
  expect(written()).toBe('Waiting for hub.example …\r\u001b[K');
});

it('shows one line for several requests at once, until the last has its response', async () => {
  const { fetch, answers, written } = slowFetch(true);
  const responses = [fetch(new URL('https://a.example')), fetch(new Request('https://b.example'))];
  jest.advanceTimersByTime(1000);
  answers[0]?.();
  await responses[0];
  expect(written()).toBe('Waiting for a.example …');
  answers[1]?.();
  await responses[1];
  expect(written()).toBe('Waiting for a.example …\r\u001b[K');
});

it.each(['stdout', 'stderr'] as const)(
  'keeps its line below what is written to %s meanwhile',
  async (name) => {
    const { fetch, answers, written, ...streams } = slowFetch(true);
    const response = fetch('https://a.example');
    jest.advanceTimersByTime(1000);
    streams[name].write('A note\n');
    expect(written()).toBe('Waiting for a.example …\r\u001b[KA note\nWaiting for a.example …');
    answers[0]?.();
    await response;
    streams[name].write('Another\n');
    expect(written().endsWith('Waiting for a.example …\r\u001b[KAnother\n')).toBe(true);
  },
);

it.each([
  ['is quick', true, 0],
  ['has no terminal', false, 5000],
])('writes nothing if a command %s', async (_case, isTTY, ms) => {
  const { fetch, answers, written } = slowFetch(isTTY);
  const response = fetch('https://hub.example');
  jest.advanceTimersByTime(ms);
  answers[0]?.();
  await response;
  jest.advanceTimersByTime(5000);
  expect(written()).toBe('');
});
