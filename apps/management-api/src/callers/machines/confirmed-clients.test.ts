import { beforeEach, expect, it, jest } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { DatabaseUnavailable } from '@legate/postgres';
import type { Caller } from '../../domain/caller.ts';
import type { MachineStore } from '../standing/machine-store.ts';
import { createConfirmedClients } from './confirmed-clients.ts';

const ACME = OrganizationId.parse('org_acme');
const caller = (looksLike: Caller['looksLike']) =>
  ({ subject: UserId.parse('terraform'), looksLike }) as unknown as Caller;

let nowMs: number;
let findConfirmed: jest.MockedFunction<MachineStore['findConfirmed']>;
let clients: ReturnType<typeof createConfirmedClients>;
beforeEach(() => {
  nowMs = 1_790_000_000_000;
  findConfirmed = jest.fn(async () => ACME);
  clients = createConfirmedClients({
    store: { findConfirmed },
    issuer: 'https://idp.example',
    clock: () => new Date(nowMs),
  });
});

it('makes no query for a person', async () => {
  expect(await clients.findOrganization(caller('person'))).toBeUndefined();
  expect(findConfirmed).not.toHaveBeenCalled();
});

it.each(['machine', undefined] as const)(
  'queries once a second for a token that looks like %s',
  async (looksLike) => {
    for (let i = 0; i < 30; i++) {
      expect(await clients.findOrganization(caller(looksLike))).toBe(ACME);
      nowMs += 100;
    }
    expect(findConfirmed).toHaveBeenCalledTimes(3);
  },
);

it('caches too that a client has no confirmation, until it is confirmed in this process', async () => {
  findConfirmed.mockResolvedValue(undefined);
  expect(await clients.findOrganization(caller('machine'))).toBeUndefined();
  findConfirmed.mockResolvedValue(ACME);
  expect(await clients.findOrganization(caller('machine'))).toBeUndefined();
  clients.forget(UserId.parse('terraform'));
  expect(await clients.findOrganization(caller('machine'))).toBe(ACME);
});

it('throws an outage of the database only for machines', async () => {
  findConfirmed.mockRejectedValue(new DatabaseUnavailable('down'));
  await expect(clients.findOrganization(caller('machine'))).rejects.toThrow(DatabaseUnavailable);
  expect(await clients.findOrganization(caller(undefined))).toBeUndefined();
  expect(await clients.findOrganization(caller('person'))).toBeUndefined();
});
