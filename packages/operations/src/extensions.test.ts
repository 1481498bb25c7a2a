import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { extensionOf, shareMembers } from './extensions.ts';
import { createSchemaTranslator } from './schemas.ts';

const Key = z.strictObject({ id: z.string(), name: z.string().optional() }).meta({ id: 'Key' });
const NewKey = Key.extend({ secret: z.string() }).meta(
  extensionOf(Key, { id: 'NewKey', description: 'With its secret' }),
);

const translator = createSchemaTranslator();
const answers = { key: translator.output(Key), newKey: translator.output(NewKey) };
const { schemas, close } = shareMembers(translator.components);
const ajv = new Ajv2020({ strict: false }).addSchema({
  $id: 'api',
  components: { schemas },
  answers: close(answers),
});
const fits = (answer: keyof typeof answers, value: unknown): boolean =>
  ajv.validate(`api#/answers/${answer}`, value) === true;

describe('shareMembers', () => {
  it('describes an extending schema by a reference to the extended one and its own members', () => {
    expect(schemas.NewKey).toEqual({
      description: 'With its secret',
      type: 'object',
      allOf: [{ $ref: '#/components/schemas/Key' }],
      properties: { secret: { type: 'string' } },
      required: ['secret'],
      unevaluatedProperties: false,
    });
  });

  it.each([
    ['takes the extended one', 'key', { id: '1', name: 'CI' }, true],
    ['takes the extension', 'newKey', { id: '1', secret: 's' }, true],
    ['wants the members of the extended one in the extension', 'newKey', { secret: 's' }, false],
    ['wants the members of the extension', 'newKey', { id: '1' }, false],
    ['takes no member of the extension in the extended one', 'key', { id: '1', secret: 's' }, false],
    ['takes no other member in the extension', 'newKey', { id: '1', secret: 's', x: 1 }, false],
  ] as const)('%s', (_case, answer, value, expected) => {
    expect(fits(answer, value)).toBe(expected);
  });

  it('throws if a member differs from that of the extended schema', () => {
    const Other = z.strictObject({ id: z.int(), secret: z.string() }).meta({ id: 'Other', extends: 'Key' });
    const other = createSchemaTranslator();
    other.output(Key);
    other.output(Other);
    expect(() => shareMembers(other.components)).toThrow('Other does not have the members of Key');
  });
});

it('does not extend a schema without a name', () => {
  expect(() => extensionOf(z.strictObject({}), { id: 'NewKey', description: '' })).toThrow('NewKey extends');
});
