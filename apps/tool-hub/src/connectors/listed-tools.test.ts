import { beforeEach, expect, it, jest } from '@jest/globals';
import { ConnectorId, OrganizationId } from '@legate/ids';
import type { ListedTools } from '@legate/management-contract';
import { createNoteListed, type NoteListed } from './listed-tools.ts';

const connector = {
  organizationId: OrganizationId.parse('org_acme'),
  id: ConnectorId.parse('con_a'),
  resource: 'https://tools.example',
};
let now: number;
let post: jest.Mock<(connector: object, listed: ListedTools) => Promise<void>>;
let note: NoteListed;
beforeEach(() => {
  now = 0;
  post = jest.fn(async () => undefined);
  note = createNoteListed({ post, clock: () => new Date(now) });
});

const sent = () => post.mock.calls.map(([, { names }]) => names);
const settled = () => new Promise(setImmediate);

it('sends each name once for each tool server that lists it', () => {
  note(connector, ['whoami', 'create_note', 'whoami']);
  note(connector, ['create_note', 'whoami']);
  note(connector, ['whoami', 'delete_note']);
  expect(sent()).toEqual([['whoami', 'create_note'], ['delete_note']]);
  expect(post.mock.calls[0]).toMatchObject([{ id: 'con_a' }, { resource_url: 'https://tools.example' }]);
  note({ ...connector, resource: 'https://other.example' }, ['whoami']);
  note({ ...connector, organizationId: OrganizationId.parse('org_globex') }, ['whoami']);
  expect(sent()).toHaveLength(4);
});

it('omits names that no binding could contain, and names beyond 500', () => {
  note(connector, [7, null, '', 'a\n', 'x'.repeat(129), 'x'.repeat(128)]);
  expect(sent()).toEqual([['x'.repeat(128)]]);
  note(
    connector,
    Array.from({ length: 600 }, (_, index) => `tool_${index}`),
  );
  expect(sent()[1]).toHaveLength(499);
  note(connector, ['one_more']);
  expect(sent()).toHaveLength(2);
});

it('sends the names again half a minute after management-api failed to accept them', async () => {
  post.mockRejectedValueOnce(new Error('away'));
  note(connector, ['whoami']);
  await settled();
  note(connector, ['whoami']);
  now = 29_999;
  note(connector, ['whoami']);
  expect(sent()).toHaveLength(1);
  now = 30_000;
  note(connector, ['whoami']);
  expect(sent()).toEqual([['whoami'], ['whoami']]);
});

it('sends at most ten requests at a time', async () => {
  let answer = () => {};
  post.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
  for (let index = 0; index < 12; index += 1) note(connector, [`tool_${index}`]);
  expect(sent()).toHaveLength(10);
  answer();
  await settled();
  note(connector, ['tool_11']);
  expect(sent()).toHaveLength(11);
});
