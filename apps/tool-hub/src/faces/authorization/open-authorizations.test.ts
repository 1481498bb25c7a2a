import { beforeEach, describe, expect, it } from '@jest/globals';
import { createAdapterFactory } from '@legate/authorization-server';
import { createMemoryBackend } from '@legate/secure-store';
import { createTestClock, type TestClock } from '@legate/service/testing';
import { boundOpenAuthorizations, ORIGIN_PARAMETER, originOf } from './open-authorizations.ts';

let clock: TestClock;
let adapter: ReturnType<ReturnType<typeof createAdapterFactory>>;
let begun: number;
beforeEach(() => {
  clock = createTestClock();
  begun = 0;
  const findClient = async () => undefined;
  const adapters = createAdapterFactory({
    backend: createMemoryBackend({ clock }),
    prefix: '',
    clock,
    findClient,
  });
  adapter = boundOpenAuthorizations(adapters, { clock, max: 10 })('Interaction');
});

async function begin(address: string, browser?: string): Promise<string> {
  begun += 1;
  const id = `${begun} of ${address}`;
  await adapter.upsert(id, { jti: id, params: { [ORIGIN_PARAMETER]: originOf(address, browser) } }, 600);
  return id;
}
const isOpen = async (id: string) => (await adapter.find(id)) !== undefined;

describe.each<[string, (number: number) => string]>([
  ['one address', () => '192.0.2.1'],
  ['two addresses', (i) => `192.0.2.${i % 2}`],
  ['the networks of one /48', (i) => `2001:db8:1:${(i % 256).toString(16)}00::1`],
])('while %s begin one authorization after another', (_case, attacker) => {
  it('the authorizations of others remain, and others can begin new ones', async () => {
    const good = [await begin('198.51.100.1'), await begin('2001:db8:2::1')];
    for (let i = 0; i < 100; i += 1) await begin(attacker(i));
    good.push(await begin('198.51.100.2'));
    for (let i = 0; i < 100; i += 1) await begin(attacker(i));
    expect(await Promise.all(good.map(isOpen))).toEqual([true, true, true]);
  });
});

it('the oldest authorization of the busiest network is dropped', async () => {
  const others = [await begin('192.0.2.1'), await begin('192.0.2.2')];
  const own: string[] = [];
  for (let i = 0; i < 9; i += 1) own.push(await begin('203.0.113.1'));
  expect(await Promise.all(own.map(isOpen))).toEqual([false, ...Array(8).fill(true)]);
  expect(await Promise.all(others.map(isOpen))).toEqual([true, true]);
});

it('a browser that begins many authorizations displaces none of other browsers at its IP address', async () => {
  const colleagues = [await begin('192.0.2.1', 'a'), await begin('192.0.2.1', 'b'), await begin('192.0.2.1')];
  for (let i = 0; i < 100; i += 1) await begin('192.0.2.1', 'busy');
  expect(await Promise.all(colleagues.map(isOpen))).toEqual([true, true, true]);
});

it('finished and expired authorizations do not count, and storing a result does not count as a new one', async () => {
  const first = await begin('192.0.2.1');
  for (let i = 0; i < 100; i += 1) await adapter.destroy(await begin('192.0.2.1'));
  for (let i = 0; i < 100; i += 1)
    await adapter.upsert(first, { jti: first, params: {}, result: { login: { accountId: 'a' } } }, 600);
  expect(await isOpen(first)).toBe(true);
  for (let i = 0; i < 9; i += 1) await begin('192.0.2.1');
  clock.advanceSeconds(601);
  const later = await begin('192.0.2.1');
  for (let i = 0; i < 9; i += 1) await begin('192.0.2.1');
  expect(await isOpen(later)).toBe(true);
});
