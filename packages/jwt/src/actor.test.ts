import { describe, expect, it } from '@jest/globals';
import { Actor } from './actor.ts';

const nested = (depth: number): object =>
  depth > 1 ? { sub: 'agt_1', act: nested(depth - 1) } : { sub: 'agt_1' };

describe('an actor', () => {
  it.each([
    ['a subject', { sub: 'agt_1' }],
    [
      'an issuer, as subjects of different issuers are different actors',
      { iss: 'https://hub.example', sub: 'agt_1' },
    ],
    ['a kind of entity', { sub: 'agt_1', sub_profile: 'ai_agent' }],
    ['three actors behind it', nested(4)],
  ])('may have %s', (_case, actor) => {
    expect(Actor.parse(actor)).toEqual(actor);
  });

  it.each([
    ['without a subject', { iss: 'https://hub.example' }],
    ['with an empty issuer', { iss: '', sub: 'agt_1' }],
    ['with a claim that it does not have', { sub: 'agt_1', email: 'alice@acme.example' }],
    ['with four behind it', nested(5)],
    ['of more than 2048 characters', { sub: 'a'.repeat(2100) }],
  ])('is refused %s', (_case, actor) => {
    expect(Actor.safeParse(actor).success).toBe(false);
  });
});
