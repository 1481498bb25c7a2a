import { Writable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { createLogger } from '../index.ts';

/** @returns what one call writes, as an object and as text */
function logged(write: (log: ReturnType<typeof createLogger>) => void) {
  let text = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  write(createLogger({ service: 'test', level: 'trace', destination }));
  return { line: JSON.parse(text) as Record<string, unknown>, text };
}

it('writes JSON with level, time, service and message', () => {
  const { line } = logged((log) => log.info({ request_id: 'req_1' }, 'hello'));
  expect(line).toMatchObject({ level: 'info', service: 'test', request_id: 'req_1', msg: 'hello' });
  expect(String(line.time)).toMatch(/^\d{4}-\d{2}-\d{2}T.*Z$/);
});

it('logs the names of secret members and none of their values, at any depth that occurs in logs', () => {
  const { text, line } = logged((log) =>
    log.child({ token: 'SECRET' }).info(
      {
        idToken: 'SECRET',
        headers: { authorization: 'Bearer SECRET', 'set-cookie': ['SECRET'], accept: '*/*' },
        answer: { body: { access_token: 'SECRET', scope: 'a' }, list: [{ refresh_token: 'SECRET' }] },
        form: { client_secret: { nested: 'SECRET' }, grant_type: 'x' },
      },
      'x',
    ),
  );
  expect(text).not.toContain('SECRET');
  expect(line).toMatchObject({
    token: '[redacted]',
    idToken: '[redacted]',
    headers: { authorization: '[redacted]', accept: '*/*' },
    answer: { body: { scope: 'a' }, list: [{ refresh_token: '[redacted]' }] },
    form: { grant_type: 'x' },
  });
});

it('redacts secrets that Legate issues, wherever they are in a line', () => {
  const secret = `lgt_${'aB3'.repeat(12)}xY`;
  const { text, line } = logged((log) =>
    log.child({ bound: secret }).error(
      {
        path: `/onboarding/invitation?token=${secret}`,
        deep: [{ text: `a\n${secret}` }],
        err: new Error(secret),
      },
      `no ${secret}.`,
    ),
  );
  expect(text).not.toContain(secret);
  expect(line).toMatchObject({
    bound: 'lgt_[redacted]',
    path: '/onboarding/invitation?token=lgt_[redacted]',
    deep: [{ text: 'a\nlgt_[redacted]' }],
    err: { message: 'lgt_[redacted]' },
    msg: 'no lgt_[redacted].',
  });
});

it.each(['lat_', 'lrt_', 'lhs_'])('redacts secrets of the tool hub that begin with %s', (prefix) => {
  const secret = `${prefix}${'aB-_'.repeat(10)}xYz`;
  const { text, line } = logged((log) => log.info({ bound: secret }, `no ${secret}.`));
  expect(text).not.toContain(secret);
  expect(line).toMatchObject({ bound: `${prefix}[redacted]`, msg: `no ${prefix}[redacted].` });
});

it.each(['lgt_short', `xlgt_${'a'.repeat(37)}`, 'algorithm_id'])('does not change %s', (text) => {
  expect(logged((log) => log.info({ text }, 'x')).line.text).toBe(text);
});

it('does not change its input', () => {
  const fields = { headers: { authorization: 'Bearer x' } };
  logged((log) => log.info(fields, 'x'));
  expect(fields.headers.authorization).toBe('Bearer x');
});

it('does not redact the code of a response or of an error', () => {
  const err = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const { line } = logged((log) => log.info({ code: 'invalid_grant', err }, 'x'));
  expect(line).toMatchObject({ code: 'invalid_grant', err: { code: 'ECONNREFUSED' } });
});

it('writes an error with its causes and its aggregated errors, without any other properties of them', () => {
  const inner = Object.assign(new Error('inner'), { response: { body: 'SECRET' }, access_token: 'SECRET' });
  const err = new AggregateError([inner, 'thrown text SECRET'], 'both failed', {
    cause: new Error('outer', { cause: inner }),
  });
  const { text, line } = logged((log) => log.error({ err }, 'x'));
  expect(text).not.toContain('SECRET');
  expect(line.err).toMatchObject({
    type: 'AggregateError',
    message: 'both failed',
    cause: { message: 'outer', cause: { message: 'inner' } },
    errors: [{ message: 'inner' }, { type: 'string' }],
  });
});

it('writes an error that is its own cause', () => {
  const err: Error & { cause?: unknown } = new Error('round');
  err.cause = err;
  expect(logged((log) => log.error({ err }, 'x')).line.err).toMatchObject({ message: 'round' });
});

it('writes to standard output by default', () => {
  expect(() => createLogger({ service: 'test', level: 'silent' }).info('not written')).not.toThrow();
});

it.each([
  ...['logout_token', 'id_token_hint', 'csrf_token', 'csrfToken', 'txn_token', 'Txn-Token', 'txn-token'],
  ...['Proxy-Authorization', 'proxy-authorization', 'X-Api-Key', 'x-api-key'],
])('redacts %s', (name) => {
  const { text } = logged((log) =>
    log.child({ [name]: 'SECRET' }).info({ [name]: 'SECRET', a: { [name]: 'SECRET' } }),
  );
  expect(text).not.toContain('SECRET');
});
