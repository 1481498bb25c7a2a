import type { JWK } from 'jose';
import type { Choice, Note } from './choice.ts';
import { ACCEPTED, type Accepted, AUDIENCE, ISSUER, NOW } from './scene.ts';

const OTHER_ALG = ['none', 'None', '', 'HS256', 'RS384', 'ES512', 'rs256', 'ES256K', 'toString', '__proto__'];

const TIME_CLAIMS = ['exp', 'iat', 'nbf'];
const TIMES = [
  -301, -61, -60, -59.5, -6, -5, -4, -0.5, 0, 4, 5, 5.5, 6, 59, 60, 60.5, 61, 240, 600, 601, 4000,
];
const ODD = [
  null,
  true,
  '',
  '1790000000',
  'x',
  -1,
  0,
  0.5,
  1e21,
  [],
  {},
  ['a', 1],
  [[AUDIENCE]],
  'a\u0000b',
  '\ud800',
];
const CLAIM_NAMES = ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', '__proto__'];
const TYPES = ['jwt', 'application/JWT', 'at+jwt', 'application/', '', 7, null, undefined];
const CRITICAL = [
  { crit: ['exp'], exp: 1 },
  { crit: ['b64'], b64: true },
  { crit: ['b64'], b64: false },
  { crit: ['b64', 'b64'], b64: true },
  { crit: ['b64'] },
  { crit: ['b64'], b64: 'true' },
  { crit: ['b64', 'x'], b64: true, x: 1 },
  { crit: ['x', 'b64'], b64: false },
  { b64: false },
  ...[[], null, 'b64', [7], [''], {}, ['__proto__'], [['b64']]].map((crit) => ({ crit, b64: true })),
];

type Json = Record<string, unknown>;

/** The registered claims, with up to two changes. */
export function claimsFor(choice: Choice, note: Note): Json {
  const iat = NOW - choice.below(200);
  const claims: Json = {
    ...{ iss: ISSUER, sub: choice.of(['hub', 'ü😀']), aud: AUDIENCE, iat, exp: NOW + 60 + choice.below(100) },
    ...(choice.chance(0.2) && { nbf: iat }),
  };
  for (let changes = choice.of([0, 0, 0, 1, 1, 2]); changes > 0; changes -= 1) {
    const name = choice.chance(0.4) ? choice.of(TIME_CLAIMS) : choice.of(CLAIM_NAMES);
    note(`claim ${name}`);
    if (choice.chance(0.2)) delete claims[name];
    else if (choice.chance(0.75) && TIME_CLAIMS.includes(name)) claims[name] = NOW + choice.of(TIMES);
    else if (name === 'aud' && choice.chance(0.6))
      claims.aud = choice.of([
        [AUDIENCE],
        [AUDIENCE, 'b'],
        ['b', AUDIENCE],
        [AUDIENCE, 7],
        `${AUDIENCE}/`,
        ['b'],
      ]);
    // Defined, because an assignment would set the prototype.
    else
      Object.defineProperty(claims, name, {
        value: choice.of(ODD),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return claims;
}

/** A header with at most one change. */
export function headerFor(
  choice: Choice,
  note: Note,
  { alg, strangersJwk }: { alg: Accepted; strangersJwk: JWK },
): Json {
  const header: Json = { alg, kid: alg, typ: 'JWT' };
  const kind = choice.chance(0.7) ? '' : choice.of(['alg', 'kid', 'typ', 'crit', 'own key', 'nested']);
  if (kind) note(`header: ${kind}`);
  if (kind === 'alg')
    header.alg = choice.of<unknown>([...OTHER_ALG, ...ACCEPTED, 7, null, ['ES256'], undefined]);
  if (kind === 'kid')
    header.kid = choice.of<unknown>([...ACCEPTED, 'unknown', '', 7, null, ['RS256'], {}, undefined]);
  if (kind === 'typ') header.typ = choice.of<unknown>(TYPES);
  if (kind === 'crit') Object.assign(header, choice.of<Json>(CRITICAL));
  if (kind === 'own key') {
    header.jwk = strangersJwk;
    header.jku = 'https://evil.example/jwks';
  }
  if (kind === 'nested') header.x = JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`);
  return header;
}
