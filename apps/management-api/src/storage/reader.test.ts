import { beforeEach, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@legate/postgres';
import { createReader, type TenantReader } from './reader.ts';

const STATEMENT = { name: 'list', text: 'SELECT 1' };

let asked: string[];
let fault: Error | undefined;
let reported: unknown[];
let seconds: number;
let reader: TenantReader;
beforeEach(() => {
  [asked, reported, fault, seconds] = [[], [], undefined, 0];
  const database = (name: string): TenantReader => ({
    async queryAsTenant(organizationId) {
      asked.push(`${name} for ${organizationId}`);
      if (name === 'replica' && fault) throw fault;
      return [];
    },
  });
  reader = createReader({
    primary: database('primary'),
    replica: database('replica'),
    clock: () => new Date(seconds * 1000),
    onAway: (err) => reported.push(err),
  });
});
const read = () => reader.queryAsTenant('org_a', STATEMENT);

it('queries only the replica, for the same organization', async () => {
  await read();
  expect(asked).toEqual(['replica for org_a']);
});

it('queries the primary while the replica is down, and does not try the replica for ten seconds', async () => {
  fault = new DatabaseUnavailable(new Error('gone'));
  await read();
  seconds = 9;
  fault = undefined;
  await read();
  seconds = 10;
  await read();
  expect(asked.map((line) => line.split(' ')[0])).toEqual(['replica', 'primary', 'primary', 'replica']);
  expect(reported).toHaveLength(1);
});

it('queries the primary if the replica cannot run a statement yet, and the replica again for the next statement', async () => {
  fault = Object.assign(new Error('column "next" does not exist'), { code: '42703' });
  await read();
  await read();
  expect(asked.map((line) => line.split(' ')[0])).toEqual(['replica', 'primary', 'replica', 'primary']);
  expect(reported).toEqual([]);
});

it('does not treat a statement timeout as an outage: the primary gets no statement, and the next one goes to the replica', async () => {
  fault = new DatabaseUnavailable(Object.assign(new Error('statement timeout'), { code: '57014' }));
  await expect(read()).rejects.toBe(fault);
  await expect(read()).rejects.toBe(fault);
  expect(asked.map((line) => line.split(' ')[0])).toEqual(['replica', 'replica']);
  expect(reported).toEqual([]);
});
