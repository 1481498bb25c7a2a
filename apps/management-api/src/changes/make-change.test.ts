import { expect, it } from '@jest/globals';
import { isId, type OrganizationId } from '@legate/ids';
import { systemAuthor } from '../domain/author.ts';
import { createMakeChange, type FollowUp } from './change.ts';

const ORGANIZATION = 'org_a';
if (!isId<OrganizationId>(ORGANIZATION)) throw new Error();
const author = systemAuthor(ORGANIZATION);
const tenants = {
  withTenant: (_id: unknown, work: (connection: unknown) => unknown) =>
    work({ query: async () => ({ rows: [] }) }),
} as never;

/** Makes a change, and records what happens in which order. */
async function orderOf(followUp: FollowUp, wait?: () => Promise<void>): Promise<string[]> {
  const order: string[] = [];
  const makeChange = createMakeChange(
    tenants,
    async (...event) => {
      const then = await followUp(...event);
      return async () => {
        const isConfirmed = (await then?.()) ?? true;
        order.push('followed up');
        return isConfirmed;
      };
    },
    async (_ms, signal) => {
      if (wait) return wait();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      order.push('no longer waits');
    },
  );
  const onUnconfirmed = () => order.push('unconfirmed');
  await makeChange({ ...author, onUnconfirmed }, async ({ record }) => {
    await record({ action: 'connector.created', targets: [] } as never);
    order.push('saved');
  });
  order.push('answered');
  return order;
}

it('is answered after what follows from it', async () => {
  const order = await orderOf(async () => async () => true);
  expect(order.slice(0, 2)).toEqual(['saved', 'followed up']);
  expect(order).toContain('answered');
  expect(order).not.toContain('unconfirmed');
});

it('says so if the hub has not confirmed it', async () => {
  const order = await orderOf(async () => async () => false);
  expect(order.filter((each) => each !== 'no longer waits')).toEqual([
    'saved',
    'followed up',
    'unconfirmed',
    'answered',
  ]);
});

it('is answered without what takes too long', async () => {
  const never = new Promise<boolean>(() => {});
  expect(
    await orderOf(
      async () => () => never,
      async () => undefined,
    ),
  ).toEqual(['saved', 'unconfirmed', 'answered']);
});

it('does not wait for anything when nothing follows', async () => {
  const makeChange = createMakeChange(
    tenants,
    async () => undefined,
    () => Promise.reject(new Error('waits')),
  );
  await makeChange(author, ({ record }) => record({ action: 'site.created', targets: [] } as never));
});
