import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { describeSettings, serviceEnvironment } from '../index.ts';

const description = 'What it is.';
const when = 'Operators who need it.';
const rowOf = (schema: z.ZodType, name = 'NAME') => describeSettings(z.object({ [name]: schema }))[0];

it('shows name, meaning, values, default and example', () => {
  const schema = z.coerce.number().int().min(1).max(9).default(3).meta({ description, when, example: '4' });
  expect(rowOf(schema)).toEqual({
    name: 'NAME',
    description,
    when,
    values: '1 to 9',
    defaultValue: '3',
    required: false,
    example: '4',
    secret: false,
  });
  expect(rowOf(z.enum(['a', 'b']).meta({ description, when }))).toMatchObject({
    values: 'a, b',
    required: true,
  });
  expect(rowOf(z.stringbool().default(false).meta({ description, when }))).toMatchObject({
    values: 'true, false',
    defaultValue: 'false',
  });
  const list = z.string().transform((text) => text.split(','));
  expect(rowOf(list.default(['a', 'b']).meta({ description, when }))?.defaultValue).toBe('a,b');
  expect(rowOf(list.default([]).meta({ description, when }))?.defaultValue).toBeUndefined();
  expect(rowOf(z.url().optional().meta({ description, when }))).toMatchObject({ required: false });
});

it('never shows the default of a secret', () => {
  const row = rowOf(z.string().default('needle').meta({ description, when, secret: true }), 'API_KEY');
  expect(row).toMatchObject({ secret: true });
  expect(JSON.stringify(row)).not.toContain('needle');
});

describe('refuses a setting that', () => {
  it.each<[string, string, z.ZodType]>([
    ['is not described', 'NAME', z.string()],
    ['lost its description to a later step', 'NAME', z.string().meta({ description, when }).optional()],
    ['is described in no sentence', 'NAME', z.string().meta({ description: 'what', when })],
    ['names nobody who sets it', 'NAME', z.string().meta({ description })],
    ['refers to another row', 'NAME', z.string().meta({ description, when: 'The same operators.' })],
    ['has a member that nobody reads', 'NAME', z.string().meta({ description, when, secrets: true })],
    ['sounds like a secret and does not say', 'CLIENT_SECRET', z.string().meta({ description, when })],
    ['sounds like a key and does not say', 'SIGNING_KEYS', z.string().meta({ description, when })],
    ['sounds like a token and does not say', 'TOKEN_TTL_SECONDS', z.string().meta({ description, when })],
    ['sounds like a password and does not say', 'REDIS_PASSWORD', z.string().meta({ description, when })],
  ])('%s', (_case, name, schema) => {
    expect(() => rowOf(schema, name)).toThrow(`${name}: .meta()`);
  });
});

it('describes the settings of every service', () => {
  expect(describeSettings(z.object(serviceEnvironment)).map(({ name }) => name)).toEqual(
    Object.keys(serviceEnvironment),
  );
});
