import { expect, it } from '@jest/globals';
import { type ChosenIssuer, chooseIssuer } from './index.ts';

const resource = 'https://tools.example/mcp';
const OWN = 'https://tools.example/as';
const ELSEWHERE = 'https://as.example';
const CONFIDENTIAL = { resource, issuer: undefined, isPublicClient: false };
const PUBLIC = { ...CONFIDENTIAL, isPublicClient: true };
const PINNED = { ...CONFIDENTIAL, issuer: ELSEWHERE };

const chosen = (issuer: string): ChosenIssuer => ({ kind: 'chosen', issuer });
const NOT_PINNED: ChosenIssuer = { kind: 'not_pinned' };
const NOT_LISTED: ChosenIssuer = { kind: 'not_listed' };

it.each([
  ['its own', CONFIDENTIAL, [ELSEWHERE, OWN], chosen(OWN)],
  ['none elsewhere that nobody pinned', CONFIDENTIAL, [ELSEWHERE], NOT_PINNED],
  ['none at another port', CONFIDENTIAL, ['https://tools.example:8443'], NOT_PINNED],
  ['none over plain http', CONFIDENTIAL, ['http://tools.example'], NOT_PINNED],
  ['the pinned one, elsewhere', PINNED, [OWN, ELSEWHERE], chosen(ELSEWHERE)],
  ['none in the place of the pinned one, not even its own', PINNED, [OWN], NOT_LISTED],
  ['the pinned one, listed with a slash', PINNED, [`${ELSEWHERE}/`], chosen(ELSEWHERE)],
  ['the pinned one, listed in upper case', PINNED, ['HTTPS://AS.EXAMPLE'], chosen(ELSEWHERE)],
  ['the pinned one, listed with its port', PINNED, ['https://as.example:443/'], chosen(ELSEWHERE)],
  [
    'the pinned one, listed without its slash',
    { ...PINNED, issuer: `${ELSEWHERE}/t/` },
    [`${ELSEWHERE}/t`],
    chosen(`${ELSEWHERE}/t/`),
  ],
  ['none with two slashes', PINNED, [`${ELSEWHERE}//`], NOT_LISTED],
  ['none with another path', PINNED, [`${ELSEWHERE}/T`, `${ELSEWHERE}/t`], NOT_LISTED],
  ['none with another host', PINNED, ['https://as.example.evil.example'], NOT_LISTED],
  ['none with another scheme', PINNED, ['http://as.example'], NOT_LISTED],
  ['none with a query', PINNED, [`${ELSEWHERE}/?a`], NOT_LISTED],
  ['none where it lists none', CONFIDENTIAL, [], { kind: 'none_listed' }],
  ['none where it lists none and one is pinned', PINNED, [], { kind: 'none_listed' }],
  ['the only one, for a client without a secret', PUBLIC, [ELSEWHERE], chosen(ELSEWHERE)],
  ['its own, for a client without a secret', PUBLIC, [ELSEWHERE, OWN], chosen(OWN)],
  ['none of several elsewhere, secret or not', PUBLIC, [ELSEWHERE, 'https://b.example'], NOT_PINNED],
  ['the pinned one, for a client without a secret', { ...PUBLIC, issuer: OWN }, [ELSEWHERE], NOT_LISTED],
] satisfies [string, Parameters<typeof chooseIssuer>[0], string[], ChosenIssuer][])(
  'chooses %s among the authorization servers that a tool server lists',
  (_case, client, listed, expected) => {
    expect(chooseIssuer(client, listed)).toEqual(expected);
  },
);
