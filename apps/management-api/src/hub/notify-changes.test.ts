import { beforeEach, expect, it } from '@jest/globals';
import { isId, type OrganizationId } from '@legate/ids';
import { type ActiveRequest, activeRequest, createLogger, runInRequest } from '@legate/service';
import type { NewAuditEvent } from '../domain/audit-event.ts';
import { createNotifyChanges, isNotified, type NotifyChanges } from './notify-changes.ts';

let within: (ActiveRequest | undefined)[];
let requests: { url: string; body: unknown }[];
let pauses: number[];
let answers: (() => Response)[];
let paused: Promise<void>;
let notifyChanges: NotifyChanges;

beforeEach(() => {
  within = [];
  requests = [];
  pauses = [];
  answers = [];
  paused = Promise.resolve();
  notifyChanges = createNotifyChanges({
    hubUrl: 'https://hub.example',
    async fetchAsService(url, { body }) {
      within.push(activeRequest());
      requests.push({ url, body: JSON.parse(body) });
      return (answers.shift() ?? (() => Response.json({ noted: true })))();
    },
    async pause(ms) {
      pauses.push(ms);
      await paused;
    },
    log: createLogger({ service: 'test', level: 'silent' }),
  });
});

const idOf = (id: string): OrganizationId => {
  if (!isId<OrganizationId>(id)) throw new Error(id);
  return id;
};
const eventOf = (action: string): NewAuditEvent => ({ action, targets: [] }) as never;
/** Saves changes concurrently. @returns whether the hub has confirmed each, when it may be answered */
async function change(...changes: readonly [organization: string, action?: string][]) {
  const left = await Promise.all(
    changes.map(([organization, action = 'connector.created']) =>
      notifyChanges.followUp({} as never, idOf(organization), eventOf(action), 'evt_1' as never),
    ),
  );
  return Promise.all(left.map((then) => then?.()));
}
const notified = () => requests.map(({ body }) => (body as { organization_ids: string[] }).organization_ids);

it("sends the organization's id to the hub, once for changes that are saved together", async () => {
  await change(['org_a'], ['org_a', 'connector.updated'], ['org_b']);
  await notifyChanges.idle();
  expect(requests).toEqual([
    { url: 'https://hub.example/internal/v1/changes', body: { organization_ids: ['org_a', 'org_b'] } },
  ]);
  expect(pauses).toEqual([]);
});

it('sends the changes of several requests together, outside of any request context', async () => {
  const inRequest = (requestId: string, organization: string) =>
    runInRequest({ requestId, trace: undefined, tracer: undefined }, () => change([organization]));
  await Promise.all([inRequest('req_a', 'org_a'), inRequest('req_b', 'org_b')]);
  await notifyChanges.idle();
  expect([notified(), within]).toEqual([[['org_a', 'org_b']], [undefined]]);
});

it('sends changes that are made while a notification runs', async () => {
  answers = [
    () => {
      void change(['org_b']);
      return Response.json({});
    },
  ];
  await change(['org_a']);
  await notifyChanges.idle();
  expect(notified()).toEqual([['org_a'], ['org_b']]);
});

it('lets a change wait until the hub has confirmed it', async () => {
  const order: string[] = [];
  answers = [
    () => {
      order.push('confirmed');
      return Response.json({});
    },
  ];
  await change(['org_a']).then(([isConfirmed]) => order.push(`answered: ${isConfirmed}`));
  expect(order).toEqual(['confirmed', 'answered: true']);
});

it('lets no change wait for further attempts', async () => {
  let go = () => {};
  paused = new Promise((resolve) => {
    go = resolve;
  });
  answers = [() => new Response('', { status: 503 })];
  expect([await change(['org_a']), await change(['org_b'])]).toEqual([[false], [false]]);
  expect(notified()).toEqual([['org_a']]);
  go();
  await notifyChanges.idle();
  expect(notified()).toEqual([['org_a'], ['org_a'], ['org_b']]);
});

it('tries three times, and then relies on the hub to poll', async () => {
  const down = () => new Response('', { status: 503 });
  answers = [
    down,
    () => {
      throw new TypeError('fetch failed');
    },
    down,
  ];
  await change(['org_a']);
  await notifyChanges.idle();
  expect([notified(), pauses]).toEqual([
    [['org_a'], ['org_a'], ['org_a']],
    [500, 1000],
  ]);
  await change(['org_b']);
  await notifyChanges.idle();
  expect(notified().at(-1)).toEqual(['org_b']);
});

it('lets the first change after an outage wait again', async () => {
  const down = () => new Response('', { status: 503 });
  answers = [down, down, down];
  await change(['org_a']);
  await notifyChanges.idle();
  const order: string[] = [];
  answers = [
    () => {
      order.push('confirmed');
      return Response.json({});
    },
  ];
  await change(['org_b']).then(() => order.push('answered'));
  expect(order).toEqual(['confirmed', 'answered']);
});

it('sends at most a hundred organizations in a request', async () => {
  await change(...Array.from({ length: 101 }, (_, i): [string] => [`org_${i}`]));
  await notifyChanges.idle();
  expect(notified().map(({ length }) => length)).toEqual([100, 1]);
});

it.each(['site.created', 'member.unlink_failed', 'connector.deleted', 'agent.connector_set'] as const)(
  'does not send %s, which the hub does not need or receives in another way',
  async (action) => {
    const targets = [
      { type: 'connector', id: 'con_a' },
      { type: 'agent', id: 'agt_a' },
    ] as never;
    expect(isNotified({ action, targets })).toBe(false);
  },
);

it('does not send a connector whose tokens end, since its revocation is sent', () => {
  const targets = [{ type: 'connector', id: 'con_a', name: 'A' }] as never;
  const changed = (field: string) => ({ [field]: { from: 'a', to: 'b' } });
  expect([
    isNotified({ action: 'connector.updated', targets, changes: changed('name') }),
    isNotified({ action: 'connector.updated', targets, changes: changed('scopes') }),
  ]).toEqual([true, false]);
});
