import { afterEach, expect, it, jest } from '@jest/globals';
import { z } from 'zod';
import { ConfigError, readEnvironment } from '../index.ts';
import { configFaults } from '../testing/config-faults.ts';

const Env = z.object({
  NODE_ENV: z.enum(['development', 'production']).default('development'),
  COUNT: z.coerce.number().int().default(1),
  STORE_URL: z.url().optional(),
  STORE_KEYS: z.string().optional(),
  REQUIRED_NAME: z.string(),
});

const read = (env: Record<string, string>) => {
  const reading = readEnvironment(Env, env);
  return { reading, faults: () => configFaults(reading.complete) };
};

const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
afterEach(() => void emitWarning.mockClear());

it('reports faults of combined settings together with those of single settings', () => {
  const { reading, faults } = read({ COUNT: 'x', STORE_URL: 'needle' });
  if (reading.isSet('STORE_URL') && !reading.isSet('STORE_KEYS')) reading.fault('STORE_KEYS: required');
  expect(faults().map((fault) => fault.split(':')[0])).toEqual([
    'COUNT',
    'STORE_URL',
    'REQUIRED_NAME',
    'STORE_KEYS',
  ]);
  expect(faults().join()).not.toContain('needle');
});

it('reports a missing setting as required', () => {
  expect(read({}).faults()).toEqual(['REQUIRED_NAME: required']);
});

it('rejects an empty NODE_ENV, which would disable the production checks of an image', () => {
  const { reading, faults } = read({ NODE_ENV: '', COUNT: '', REQUIRED_NAME: 'x' });
  reading.refuseInProduction({});
  expect(faults()).toEqual([expect.stringMatching(/^NODE_ENV: .*empty/)]);
});

it('derives from valid settings, even if another one is invalid', () => {
  const { reading, faults } = read({ COUNT: '2' });
  const seen: unknown[] = [];
  reading.derive(['COUNT', 'NODE_ENV'], (settings) => {
    seen.push(settings.COUNT, settings.NODE_ENV);
    throw new ConfigError(['COUNT: is even']);
  });
  expect(seen).toEqual([2, 'development']);
  expect(faults()).toEqual([expect.stringContaining('REQUIRED_NAME'), 'COUNT: is even']);
});

it('checks several settings if all of them are valid, even if others are not', () => {
  const judge = (env: Record<string, string>) => {
    const { reading, faults } = read(env);
    reading.refine(['COUNT', 'STORE_URL'], ({ COUNT }, { addIssue }) => {
      addIssue({ path: ['COUNT'], message: `is not ${COUNT + 1}` });
    });
    return faults();
  };
  expect(judge({ COUNT: '2' })).toEqual([expect.stringContaining('REQUIRED_NAME'), 'COUNT: is not 3']);
  expect(judge({ COUNT: '2', STORE_URL: 'x' }).join()).not.toContain('is not 3');
});

it('derives nothing from an invalid setting, and rethrows other errors', () => {
  const { reading, faults } = read({ COUNT: 'x', REQUIRED_NAME: 'n' });
  const derive = jest.fn();
  const derived = reading.derive(['COUNT', 'REQUIRED_NAME'], derive);
  expect(derive).not.toHaveBeenCalled();
  expect(reading.derive(['REQUIRED_NAME'], () => derived())).toThrow(ConfigError);
  expect(faults()).toEqual([expect.stringContaining('COUNT')]);
  expect(() =>
    reading.derive(['REQUIRED_NAME'], () => {
      throw new TypeError('a bug');
    }),
  ).toThrow('a bug');
});

it('returns the derived value', () => {
  const { reading } = read({ REQUIRED_NAME: 'n' });
  const length = reading.derive(['REQUIRED_NAME'], (settings) => settings.REQUIRED_NAME.length);
  expect([reading.complete().COUNT, length()]).toEqual([1, 1]);
});

it.each([
  ['STORE_URI', 'another letter'],
  ['STORE_UR', 'a letter less'],
  ['STORE_URLS', 'a letter more'],
  ['STORE_ULR', 'letters exchanged'],
])('warns of %s (%s), without its value', (name) => {
  expect(read({ REQUIRED_NAME: 'n', [name]: 'needle' }).faults()).toEqual([]);
  expect(emitWarning.mock.calls.map(([text]) => text)).toEqual([
    `${name} is set, which is no setting; is STORE_URL meant?`,
  ]);
});

it('suggests the misspelt name of a missing setting', () => {
  expect(read({ REQUIRED_NAMES: 'n' }).faults()).toContain(
    'REQUIRED_NAME: REQUIRED_NAMES is set, which is no setting; is REQUIRED_NAME meant?',
  );
  expect(emitWarning).not.toHaveBeenCalled();
});

it('reports no misspelling for variables of other programs', () => {
  const others = ['STORE_PORT', 'STORE_HOST', 'SHORE_URL', 'PATH', 'COUNTS', 'STORE_URL_OTHER'];
  const env = Object.fromEntries(others.map((name) => [name, 'x']));
  expect(read({ ...env, REQUIRED_NAME: 'n' }).faults()).toEqual([]);
  // The setting itself is set, so the similar variable is probably intended.
  expect(read({ STORE_URI: 'x', STORE_URL: 'https://s', REQUIRED_NAME: 'n' }).faults()).toEqual([]);
  expect(emitWarning).not.toHaveBeenCalled();
});

it.each(['PORT', 'NODE_ENV'])('reports a blank %s as a fault: read as a number it would be 0', (name) => {
  const reading = readEnvironment(z.object({ [name]: z.coerce.number().optional() }), { [name]: ' \t' });
  expect(configFaults(reading.complete)).toEqual([`${name}: is blank`]);
});
