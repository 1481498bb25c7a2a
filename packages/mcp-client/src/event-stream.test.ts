import { expect, it, jest } from '@jest/globals';
import { createAnswerFinder } from './event-stream.ts';
import { writeObject } from './json-members.ts';

const ANSWER = '{"jsonrpc":"2.0","id":7,"result":{"content":[]}}';
const OTHERS =
  ': comment\n\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\ndata: {"jsonrpc":"2.0","id":7,"method":"ping"}\n\ndata: {"jsonrpc":"2.0","id":8,"result":{}}\n\ndata: not JSON\n\n';

it('finds the response among other messages', () => {
  expect(createAnswerFinder(7).read(`${OTHERS}event: message\nid: 3\ndata: ${ANSWER}\n\n`)).toBe(ANSWER);
});

it('finds the response however the stream is split into chunks', () => {
  const text = `${OTHERS}data: ${ANSWER}\r\n\r\n`;
  const { read } = createAnswerFinder(7);
  const found = [...text].map((char) => read(char)).find((value) => value !== undefined);
  expect(found).toBe(ANSWER);
});

it.each(['\n', '\r', '\r\n'])('finds the response with any kind of line break: %j', (lineBreak) => {
  const text = `data: {"jsonrpc":"2.0",\ndata: "id":7,"result":{}}\n\n`.replaceAll('\n', lineBreak);
  const { read } = createAnswerFinder(7);
  const found = [...`${text}: comment`].map((char) => read(char)).find((value) => value !== undefined);
  expect(found).toBe('{"jsonrpc":"2.0",\n"id":7,"result":{}}');
});

/** Returns the number of characters that `String.prototype.indexOf` scans while `work` runs. */
function countSearched(work: () => void): number {
  let characters = 0;
  const { indexOf } = String.prototype;
  const spy = jest.spyOn(String.prototype, 'indexOf').mockImplementation(function (this: string, what, from) {
    const found = indexOf.call(this, what, from);
    characters += (found === -1 ? this.length : found) - (from ?? 0);
    return found;
  });
  work();
  spy.mockRestore();
  return characters;
}

it('scans a stream of carriage returns in linear time', () => {
  const searchedOf = (lines: number) => countSearched(() => createAnswerFinder(7).read('\r'.repeat(lines)));
  const searched = searchedOf(1000);
  expect(searched).toBeGreaterThanOrEqual(1000);
  expect(searchedOf(4000)).toBe(4 * searched); // 16 times as many if each line scanned the rest
});

it('finds an error response with its members in any order', () => {
  const error = '{"id":7,"error":{"code":1,"message":""},"jsonrpc":"2.0"}';
  expect(createAnswerFinder(7).read(`data: ${error}\n\n`)).toBe(error);
});

it('finds nothing in a stream without a response', () => {
  expect(createAnswerFinder(7).read(OTHERS)).toBeUndefined();
});

it('keeps the first response', () => {
  const { read } = createAnswerFinder(7);
  read(`data: ${ANSWER}\n\n`);
  expect(read('data: {"jsonrpc":"2.0","id":7,"result":{"content":["second"]}}\n\n')).toBe(ANSWER);
});

const progress = (params: object) =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })}\n\n`;

it('passes on only the progress of the waiting request', () => {
  const seen: unknown[] = [];
  const { read } = createAnswerFinder(7, { onProgress: (said) => seen.push(writeObject(said)) });
  read(OTHERS);
  read(progress({ progressToken: 7, progress: 1, total: 2, message: 'half', _meta: { a: 1 } }));
  read(progress({ progressToken: 7, progress: 2, total: 'all', message: [] }));
  read(
    'data: {"method":"notifications/progress","params":{"progressToken":7.0,"progress":1.0,"total":1e400}}\n\n',
  );
  expect(seen).toEqual([
    '{"progress":1,"total":2,"message":"half"}',
    '{"progress":2}',
    '{"progress":1.0,"total":1e400}',
  ]);
});

it.each([
  ['for another request', { progressToken: 8, progress: 1 }],
  ['for a request of a similar name', { progressToken: '7', progress: 1 }],
  ['for none', { progress: 1 }],
  ['without a number', { progressToken: 7, progress: '1' }],
])('passes on no progress %s, and none after the response', (_case, params) => {
  const seen: unknown[] = [];
  const { read } = createAnswerFinder(7, { onProgress: (said) => seen.push(said) });
  read(progress(params));
  expect(read(`data: ${ANSWER}\n\n`)).toBe(ANSWER);
  read(progress({ progressToken: 7, progress: 3 }));
  expect(seen).toEqual([]);
});

it('reports each list that the server declares as changed once', () => {
  const changed: unknown[] = [];
  const { read } = createAnswerFinder(7, { onListChanged: (kinds) => changed.push(kinds) });
  const note = (method: string) => read(`data: ${JSON.stringify({ jsonrpc: '2.0', method })}\n\n`);
  read(OTHERS);
  for (const what of ['tools', 'tools', 'resources', 'roots', 'prompts', 'tools'])
    note(`notifications/${what}/list_changed`);
  read('data: {"method":"notifications/tools/list_changed"\n\n');
  expect(changed).toEqual([['tools'], ['resources', 'resourceTemplates'], ['prompts']]);
});

it("passes on the server's own requests with their ids", () => {
  const asked: unknown[] = [];
  const { read } = createAnswerFinder(7, { onRequest: (request) => asked.push(request) });
  for (const message of [
    { id: 7, method: 'ping' },
    { id: 'a', method: 'sampling/createMessage', params: {} },
    { id: null, method: 'ping' },
    { id: 'x'.repeat(257), method: 'ping' },
    { id: 8, result: {} },
    { id: 9, method: 1 },
    { id: 1.5, method: 'ping' },
  ])
    read(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  read('data: {"method":"ping","id" : 725653563933458433 }\n\n');
  expect(asked).toEqual([
    { id: '7', method: 'ping' },
    { id: '"a"', method: 'sampling/createMessage' },
    { id: '725653563933458433', method: 'ping' },
  ]);
});

it("passes on the server's log messages that have a valid level", () => {
  const logged: unknown[] = [];
  const { read } = createAnswerFinder(7, {
    onLog: ({ level, members }) => logged.push([level, writeObject(members)]),
  });
  const log = (params: unknown) =>
    read(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params })}\n\n`);
  log({ level: 'info', logger: 'db', data: { rows: 1 }, _meta: { 'legate/x': 1 } });
  log({ level: 'debug', logger: 1, data: 'text' });
  log({ level: 'loud', data: 'text' });
  log(undefined);
  log({ level: 'info', data: JSON.parse('['.repeat(100) + ']'.repeat(100)) });
  read('data: {"params":{"data":[1e2],"level":"info"},"method":"notifications/message"}\n\n');
  expect(logged).toEqual([
    ['info', '{"level":"info","logger":"db","data":{"rows":1}}'],
    ['debug', '{"level":"debug","data":"text"}'],
    ['info', '{"level":"info","data":[1e2]}'],
  ]);
});

it('returns the id of the last event and the retry time that the server asks for', () => {
  const finder = createAnswerFinder(7);
  expect(finder.place).toEqual({ lastEventId: undefined, retryMs: undefined });
  finder.read('id: 1\nretry: 500\ndata: \n\nid: 2\ndata: {}\n\n: comment\n\ndata: {}\n\n');
  expect(finder.place).toEqual({ lastEventId: '2', retryMs: 500 });
});
