import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { checkRedisEnvironment, redisEnvironment, redisSettingsOf } from './index.ts';

const Environment = z.object(redisEnvironment).superRefine(checkRedisEnvironment);
const settingsOf = (env: Record<string, string>) => redisSettingsOf(Environment.parse(env));
const faultsOf = (env: Record<string, string>): string[] =>
  (Environment.safeParse(env).error?.issues ?? []).map(({ path, message }) => `${path.join()}: ${message}`);

it('without a URL there is no Redis', () => {
  expect(settingsOf({})).toBeUndefined();
});

it('a URL alone is a single server, as it is written', () => {
  expect(settingsOf({ REDIS_URL: 'redis://user:a,b@redis.example:7000/2' })).toMatchObject({
    mode: 'single',
    urls: ['redis://user:a,b@redis.example:7000/2'],
    waitReplicas: 0,
    commandTimeoutMs: 250,
  });
});

it.each(['redis://a:1,redis://b:2', 'redis://a:1, redis://b:2'])('%s are two nodes', (REDIS_URL) => {
  expect(settingsOf({ REDIS_URL, REDIS_MODE: 'cluster', REDIS_PASSWORD: 'p' })).toMatchObject({
    mode: 'cluster',
    urls: ['redis://a:1', 'redis://b:2'],
    password: 'p',
  });
});

it('commands may be given more time than a quarter of a second, and not none', () => {
  const REDIS_URL = 'redis://redis.example';
  expect(settingsOf({ REDIS_URL, REDIS_COMMAND_TIMEOUT_MS: '1500' })).toMatchObject({
    commandTimeoutMs: 1500,
  });
  expect(faultsOf({ REDIS_URL, REDIS_COMMAND_TIMEOUT_MS: '0' })).toHaveLength(1);
});

it('sentinels have their name and their own password', () => {
  const env = { REDIS_URL: 'rediss://s1,rediss://s2', REDIS_MODE: 'sentinel', REDIS_SENTINEL_NAME: 'main' };
  expect(settingsOf({ ...env, REDIS_SENTINEL_PASSWORD: 'q' })).toMatchObject({
    mode: 'sentinel',
    sentinelName: 'main',
    sentinelPassword: 'q',
  });
});

it.each<[Record<string, string>, string[]]>([
  [{ REDIS_URL: 'http://needle' }, ['REDIS_URL: must be redis:// or rediss:// URLs, separated by commas']],
  [{ REDIS_URL: 'redis://a,b' }, []], // one host of an odd name, as before
  [{ REDIS_MODE: 'cluster' }, ['REDIS_URL: required with REDIS_MODE=cluster']],
  [{ REDIS_WAIT_REPLICAS: '1' }, ['REDIS_URL: required with REDIS_WAIT_REPLICAS']],
  [{ REDIS_URL: 'redis://a,redis://b' }, ['REDIS_URL: several nodes need REDIS_MODE cluster or sentinel']],
  [
    { REDIS_URL: 'redis://a,rediss://b', REDIS_MODE: 'cluster' },
    ['REDIS_URL: redis:// and rediss:// cannot be mixed'],
  ],
  [
    { REDIS_URL: 'redis://:needle@a,redis://:other@b', REDIS_MODE: 'cluster' },
    ['REDIS_URL: all nodes must have the same user and password'],
  ],
  [
    { REDIS_URL: 'redis://a/1', REDIS_MODE: 'cluster', REDIS_SENTINEL_NAME: 'm' },
    [
      'REDIS_URL: a cluster has no database numbers',
      'REDIS_SENTINEL_NAME: has no effect without REDIS_MODE=sentinel',
    ],
  ],
  [
    { REDIS_URL: 'redis://:needle@a', REDIS_PASSWORD: 'needle' },
    ['REDIS_PASSWORD: REDIS_URL has a password, too'],
  ],
  [
    { REDIS_URL: 'redis://a', REDIS_MODE: 'sentinel' },
    ['REDIS_SENTINEL_NAME: required with REDIS_MODE=sentinel'],
  ],
])('reports the faults of %j, without a value', (env, faults) => {
  expect(faultsOf(env)).toEqual(faults);
  expect(faultsOf(env).join()).not.toContain('needle');
});
