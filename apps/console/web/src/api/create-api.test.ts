import { describe, expect, it, jest } from '@jest/globals';
import { createApi } from './create-api.ts';
import { ApiProblem } from './problem.ts';
import { pollingInterval } from './rate.ts';

type Fetch = typeof fetch;

function setUp(...answers: readonly (Response | Error)[]) {
  const queue = [...answers];
  const send = jest.fn<Fetch>(async () => {
    const next = queue.shift();
    if (!next || next instanceof Error) throw next ?? new Error('no answer is left');
    return next;
  });
  const onSignedOut = jest.fn<() => void>();
  const onShutOut = jest.fn<(problem: ApiProblem) => void>();
  const titles = { unreachable: 'Unreachable', unexpected: 'Unexpected' };
  const api = createApi({ fetch: send, onSignedOut, onShutOut, titles });
  const headers = (call: number) => new Headers(send.mock.calls[call]?.[1]?.headers);
  return { api, send, headers, onSignedOut, onShutOut };
}

const json = (body: unknown, init: ResponseInit = {}) => new Response(JSON.stringify(body), init);
const problem = (status: number, code: string, rest: object = {}, headers = {}) =>
  json(
    { type: 'about:blank', title: 'Refused', status, code, request_id: 'req_1', ...rest },
    { status, headers },
  );

describe('createApi', () => {
  it('sends a header that no page of another origin can send', async () => {
    const { api, headers } = setUp(json({}));
    await api.get('/bff/api/me');
    expect(headers(0).get('legate-console')).toBe('1');
  });

  it('omits query parameters that are not set', async () => {
    const { api, send } = setUp(json({}));
    await api.get('/bff/api/sites', { query: { search: 'a&b', limit: 50, origin: undefined, sort: '' } });
    expect(send.mock.calls[0]?.[0]).toBe('/bff/api/sites?search=a%26b&limit=50');
  });

  it('downloads a resource again only if it has changed', async () => {
    const { api, headers } = setUp(
      json({ a: 1 }, { headers: { etag: '"1"' } }),
      new Response(null, { status: 304 }),
    );
    await api.get('/x');
    await expect(api.get('/x')).resolves.toEqual({ a: 1 });
    expect(headers(1).get('if-none-match')).toBe('"1"');
  });

  it('clears its cache after a change', async () => {
    const { api, headers } = setUp(json({}, { headers: { etag: '"1"' } }), json({}), json({}));
    await api.get('/x');
    await api.send('/x', { method: 'PATCH', body: { name: 'b' }, ifMatch: '"1"' });
    await api.get('/x');
    expect(headers(1).get('if-match')).toBe('"1"');
    expect(headers(2).has('if-none-match')).toBe(false);
  });

  it('creates a resource only if it does not exist', async () => {
    const { api, headers } = setUp(json({}));
    await api.send('/x', { method: 'PUT', body: {}, ifAbsent: true });
    expect(headers(0).get('if-none-match')).toBe('*');
  });

  it('rejects with the problem document of a service', async () => {
    const errors = [{ pointer: '/name', code: 'too_long', detail: 'At most 100 characters' }];
    const { api } = setUp(problem(422, 'validation_failed', { errors, detail: 'No' }));
    const error = await api.get('/x').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({
      status: 422,
      code: 'validation_failed',
      detail: 'No',
      requestId: 'req_1',
      errors,
    });
  });

  it('reports how many seconds to wait', async () => {
    const { api } = setUp(problem(429, 'rate_limit_exceeded', {}, { 'retry-after': '7' }));
    await expect(api.get('/x')).rejects.toMatchObject({ retryAfter: 7 });
  });

  it('rejects with a problem of the console if the response is no problem document', async () => {
    const { api } = setUp(new Response('<html>', { status: 502 }));
    await expect(api.get('/x')).rejects.toMatchObject({ status: 502, code: 'http_502', title: 'Unexpected' });
  });

  it('rejects with `unreachable` if the server does not respond', async () => {
    const { api } = setUp(new TypeError('Failed to fetch'));
    await expect(api.get('/x')).rejects.toMatchObject({ code: 'unreachable', title: 'Unreachable' });
  });

  it('reports a session that has ended', async () => {
    const { api, onSignedOut } = setUp(problem(401, 'session_ended'));
    await expect(api.get('/x')).rejects.toBeInstanceOf(ApiProblem);
    expect(onSignedOut).toHaveBeenCalledTimes(1);
  });

  it('keeps the session if one call needs something that a sign-in to the console does not give', async () => {
    const { api, onSignedOut } = setUp(
      problem(401, 'sign_in_required', { connector_id: 'con_1', claims: null }),
    );
    await expect(api.get('/x')).rejects.toMatchObject({ code: 'sign_in_required' });
    expect(onSignedOut).not.toHaveBeenCalled();
  });

  it.each([{ max_age: 300 }, { max_age: 0 }, { acr_values: 'mfa' }, { claims: '{}' }])(
    'asks for a new sign-in if the identity provider wants one with %j',
    async (demand) => {
      const { api, onSignedOut } = setUp(problem(401, 'sign_in_required', demand));
      await expect(api.get('/x')).rejects.toBeInstanceOf(ApiProblem);
      expect(onSignedOut).toHaveBeenCalledTimes(1);
    },
  );

  it.each(['membership_revoked', 'membership_deactivated', 'organization_suspended', 'organization_deleted'])(
    'reports access that has ended: %s',
    async (code) => {
      const { api, onShutOut } = setUp(problem(403, code));
      await expect(api.get('/x')).rejects.toBeInstanceOf(ApiProblem);
      expect(onShutOut).toHaveBeenCalledWith(expect.objectContaining({ code }));
    },
  );

  it('keeps the quota of the last response that had one', async () => {
    const { api } = setUp(
      json({}, { headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' } }),
      json({}),
    );
    await api.get('/x');
    await api.get('/y');
    expect(api.rate()).toEqual({ limit: 60, remaining: 59 });
  });
});

describe('pollingInterval', () => {
  it.each([
    ['nothing is known', undefined, 5000],
    ['the limit is large', { limit: 600, remaining: 600 }, 5000],
    ['the limit is small', { limit: 60, remaining: 60 }, 15_000],
    ['less than a quarter is left', { limit: 600, remaining: 149 }, false],
  ])('when %s', (_case, rate, interval) => {
    expect(pollingInterval(rate)).toBe(interval);
  });
});
