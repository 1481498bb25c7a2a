import { constants, createHmac, type KeyObject, sign } from 'node:crypto';
import { createKeyPair } from '@legate/testing';
import type { JSONWebKeySet, JWK } from 'jose';
import type { Choice, Note } from './choice.ts';
import { ACCEPTED, type Accepted } from './scene.ts';

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
const p1363 = { dsaEncoding: 'ieee-p1363' } as const;
const SIGNERS = {
  RS256: ['RSA', 'sha256', {}],
  RS384: ['RSA', 'sha384', {}],
  PS256: ['RSA', 'sha256', pss],
  'PS256 with a longer salt': ['RSA', 'sha256', { ...pss, saltLength: 64 }],
  ES256: ['P-256', 'sha256', p1363],
  'ES256 in DER': ['P-256', 'sha256', { dsaEncoding: 'der' }],
  'ES256 with SHA-384': ['P-256', 'sha384', p1363],
  ES384: ['P-384', 'sha384', p1363],
  ES512: ['P-521', 'sha512', p1363],
  EdDSA: ['Ed25519', null, {}],
  Ed25519: ['Ed25519', null, {}],
} as const;
type Signer = keyof typeof SIGNERS;

const createKeyPairs = () => ({
  RSA: createKeyPair({ modulusLength: 2048 }),
  'P-256': createKeyPair({ namedCurve: 'P-256' }),
  'P-384': createKeyPair({ namedCurve: 'P-384' }),
  'P-521': createKeyPair({ namedCurve: 'P-521' }),
  Ed25519: createKeyPair('ed25519'),
});

/** The keys of the issuer and of a stranger, and one of the issuer's that is too short. */
export const createKeys = () => ({
  issuer: createKeyPairs(),
  stranger: createKeyPairs(),
  weak: createKeyPair({ modulusLength: 1024 }),
});
export type Keys = ReturnType<typeof createKeys>;

function signWith(signer: Signer, pairs: ReturnType<typeof createKeyPairs>, input: string): Buffer {
  const [kind, digest, options] = SIGNERS[signer];
  return sign(digest, Buffer.from(input, 'latin1'), { key: pairs[kind].privateKey, ...options });
}

/** Signers that use the same key differently, or another key of the same type */
const SIMILAR = {
  ES256: ['ES256 in DER', 'ES256 with SHA-384'],
  ES384: ['ES256', 'ES512'],
  PS256: ['PS256 with a longer salt', 'RS256'],
  RS256: ['RS384', 'PS256'],
  EdDSA: ['Ed25519'],
  Ed25519: ['EdDSA'],
} as const;

/** Most signatures are valid. */
export function signatureFor(choice: Choice, note: Note, keys: Keys, alg: Accepted, input: string): Buffer {
  const { issuer, stranger, weak } = keys;
  const good = () => signWith(alg, issuer, input);
  if (choice.chance(0.8)) return good();
  const width = alg === 'ES384' ? 48 : 32;
  const [fault, make] = choice.of<readonly [string, () => Buffer]>([
    ['by another key', () => signWith(alg, stranger, input)],
    ['with other parameters', () => signWith(choice.of(SIMILAR[alg]), issuer, input)],
    ['by another algorithm', () => signWith(choice.of(Object.keys(SIGNERS) as Signer[]), issuer, input)],
    [
      'by the public key as a secret',
      () => createHmac('sha256', pemOf(issuer.RSA.publicKey)).update(input).digest(),
    ],
    ['in DER', () => signWith('ES256 in DER', issuer, input)],
    ['by a weak key', () => signWith('RS256', { ...issuer, RSA: weak }, input)],
    ['empty', () => Buffer.alloc(0)],
    ['all zero', () => Buffer.alloc(good().length)],
    ['r is 0', () => Buffer.concat([Buffer.alloc(width), good().subarray(width)])],
    ['s is 0', () => Buffer.concat([good().subarray(0, width), Buffer.alloc(width)])],
    ['all ones', () => Buffer.alloc(good().length, 0xff)],
    ['shorter', () => good().subarray(choice.below(3))],
    ['longer', () => Buffer.concat([good(), Buffer.alloc(1 + choice.below(3))])],
    ['zero in front', () => Buffer.concat([Buffer.alloc(1), good()])],
    ['twice', () => Buffer.concat([good(), good()])],
    ['one bit changed', () => flipBit(choice, good())],
    ['random', () => choice.bytes(choice.of([1, 63, 64, 65, 96, 132, 255, 256, 257, 512]))],
  ]);
  note(`signature: ${fault}`);
  return make();
}

const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' });

/** Key documents, from valid to unusable. */
export function keySetsOf({ issuer, weak }: Keys): readonly JSONWebKeySet[] {
  const jwk = (key: KeyObject, more: JWK): JWK => ({ ...key.export({ format: 'jwk' }), ...more });
  const all = (more: (alg: string) => JWK): JWK[] =>
    ACCEPTED.map((alg) => jwk(issuer[SIGNERS[alg][0]].publicKey, more(alg)));
  const faultless = { keys: all((alg) => ({ kid: alg, alg, use: 'sig' })) };
  return [
    ...Array<JSONWebKeySet>(12).fill(faultless),
    { keys: all((alg) => ({ kid: alg })) }, // fits every algorithm of its type
    { keys: all((alg) => ({ kid: alg, key_ops: ['verify'] })) },
    { keys: all((alg) => ({ kid: alg, key_ops: ['sign'] })) },
    { keys: all((alg) => ({ kid: alg, use: 'enc' })) },
    { keys: all((alg) => ({ kid: alg, alg: alg === 'RS256' ? 'PS256' : 'RS256' })) },
    { keys: [...faultless.keys, ...faultless.keys] },
    { keys: [] },
    { keys: ACCEPTED.map((alg) => jwk(issuer[SIGNERS[alg][0]].privateKey, { kid: alg })) },
    { keys: ['RS256', 'PS256'].map((alg) => jwk(weak.publicKey, { kid: alg, alg })) },
    { keys: ACCEPTED.map((alg) => ({ kty: 'oct', k: 'c2VjcmV0', kid: alg, alg })) },
    { keys: all((alg) => ({ kid: alg, x: 'AAAA', n: 'AAAA' })) }, // not a point on the curve; a modulus of three bytes
  ];
}

function flipBit(choice: Choice, bytes: Buffer): Buffer {
  const at = choice.below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << choice.below(8));
  return bytes;
}
