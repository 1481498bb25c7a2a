import { describe, expect, it } from '@jest/globals';
import { hashClientSecret } from '@legate/oauth';
import { endpointsOf } from '../metadata/endpoints.ts';
import { registerClients, type ToolServerClient } from './clients.ts';

const LONG = 'a-secret-of-32-characters-exactly';
const register = (client: Omit<ToolServerClient, 'clientId'>, isProduction = false) =>
  registerClients([{ clientId: 'hub', ...client }], {
    endpoints: endpointsOf('https://tools.example'),
    assertionAudience: 'issuer',
    isProduction,
    clock: () => new Date(),
  }).get('hub')?.secretHashes;

const HASH = hashClientSecret('one');

describe('a secret', () => {
  it.each<[string, Omit<ToolServerClient, 'clientId'>, Buffer[]]>([
    ['alone', { secret: 'one' }, [HASH]],
    ['two, while one is rotated', { secret: ['one', 'two'] }, [HASH, hashClientSecret('two')]],
    ['as bytes of its hash', { secretHashes: [new Uint8Array(HASH)] }, [HASH]],
    ['as its hash in hexadecimal', { secretHashes: [HASH.toString('hex')] }, [HASH]],
  ])('is kept as a hash: %s', (_case, client, hashes) => {
    expect(register(client)).toEqual(hashes);
  });

  it.each<[string, Omit<ToolServerClient, 'clientId'>, string]>([
    ['undefined, as a variable that is not set', { secret: undefined }, 'is not set'],
    ['undefined beside a hash', { secret: undefined, secretHashes: [HASH] }, 'is not set'],
    ['empty', { secret: '' }, 'is not set'],
    ['empty beside another', { secret: ['one', ''] }, 'is not set'],
    ['three', { secret: ['one', 'two', 'three'] }, 'more than 2'],
    ['two and a hash', { secret: ['one', 'two'], secretHashes: [HASH] }, 'more than 2'],
    ['a hash of another length', { secretHashes: [HASH.toString('hex').slice(2)] }, 'not a SHA-256'],
    [
      'a hash with a character that is not hexadecimal',
      { secretHashes: [`${'0'.repeat(62)}zz`] },
      'not a SHA-256',
    ],
    ['a hash with more behind it', { secretHashes: [`${HASH.toString('hex')}zz`] }, 'not a SHA-256'],
    ['bytes that are no hash', { secretHashes: [new Uint8Array(31)] }, 'not a SHA-256'],
    ['none', {}, 'cannot authenticate'],
    ['an empty list', { secret: [] }, 'cannot authenticate'],
  ])('is refused: %s', (_case, client, message) => {
    expect(() => register(client)).toThrow(message);
  });

  it('must have at least 32 characters in production, and is in no error message', () => {
    expect(register({ secret: LONG.slice(0, 32) }, true)).toHaveLength(1);
    expect(() => register({ secret: LONG.slice(0, 31) }, true)).toThrow(/^(?!.*a-secret).*32 characters/);
    expect(() => register({ secret: [LONG, 'short'] }, true)).toThrow('32 characters');
    expect(register({ secretHashes: [HASH] }, true)).toHaveLength(1);
  });
});
