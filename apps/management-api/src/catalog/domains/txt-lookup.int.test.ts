import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startDnsServer, type TestAnswer, type TestDnsServer } from '../../testing/dns-server.ts';
import { checkDnsServers, createTxtLookup, DnsUnavailable } from './txt-lookup.ts';

const txt = (name: string, data: string | string[]) => ({ type: 'TXT' as const, name, data });
const NAMES: Record<string, TestAnswer> = {
  'one.example': { answers: [txt('one.example', 'value')] },
  'several.example': { answers: [txt('several.example', 'first'), txt('several.example', 'second')] },
  'long.example': { answers: [txt('long.example', ['a'.repeat(255), 'b'.repeat(10)])] },
  'alias.example': {
    answers: [
      { type: 'CNAME', name: 'alias.example', data: 'target.example' },
      txt('target.example', 'at the target'),
    ],
  },
  'empty.example': { answers: [] },
  'broken.example': { rcode: 'SERVFAIL' },
  'refused.example': { rcode: 'REFUSED' },
  'silent.example': 'silence',
};

let server: TestDnsServer;
beforeAll(async () => {
  server = await startDnsServer((name) => NAMES[name] ?? { rcode: 'NXDOMAIN' });
});
afterAll(() => server.close());

const lookup = (name: string) => createTxtLookup({ servers: [server.address] })(name);

it.each([
  ['a record', 'one.example', ['value']],
  ['several records', 'several.example', ['first', 'second']],
  ['the strings of a record as one text', 'long.example', [`${'a'.repeat(255)}${'b'.repeat(10)}`]],
  ['the record at the end of a CNAME', 'alias.example', ['at the target']],
  ['nothing at a name without a record', 'empty.example', []],
  ['nothing at a name that is not there', 'nowhere.example', []],
])('finds %s', async (_case, name, records) => {
  expect([...(await lookup(name))].sort()).toEqual(records);
});

it.each(['broken.example', 'refused.example'])(
  'reports a fault of the DNS as unavailable: %s',
  async (name) => {
    await expect(lookup(name)).rejects.toThrow(DnsUnavailable);
  },
);

it('reports a missing DNS server as unavailable', async () => {
  const gone = await startDnsServer(() => 'silence');
  await gone.close();
  await expect(createTxtLookup({ servers: [gone.address] })('one.example')).rejects.toThrow(DnsUnavailable);
});

it('reports a DNS server that does not respond as unavailable after a timeout', async () => {
  const impatient = createTxtLookup({ servers: [server.address], timeoutMs: 30 });
  await expect(impatient('silent.example')).rejects.toThrow(DnsUnavailable);
});

it('queries the DNS each time, so that a new record is found', async () => {
  const before = server.questions.length;
  await lookup('nowhere.example');
  await lookup('nowhere.example');
  expect(server.questions.slice(before)).toEqual(['nowhere.example', 'nowhere.example']);
});

it('parses the address of a server', () => {
  expect(() => checkDnsServers(['127.0.0.1:5353', '::1', '[2001:db8::1]:53'])).not.toThrow();
  expect(() => checkDnsServers(['dns.example'])).toThrow('Invalid IP address');
});
