import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { createOpenIdEngine } from './engine.ts';
import type { OidcProvider } from './oidc-provider.ts';

const ISSUER = 'https://issuer.example';

/** An engine whose library only records what it is given. */
function recording(options: { issuer?: string; mountPath?: string } = {}) {
  const given: IncomingMessage[] = [];
  let built = 0;
  const build = () => {
    built += 1;
    const callback = () => async (req: IncomingMessage) => void given.push(req);
    return { callback, number: built } as unknown as OidcProvider;
  };
  const engine = createOpenIdEngine({ issuer: ISSUER, ...options, build });
  return { engine, given, built: () => built };
}

function received(url: string, headers: IncomingMessage['headers'] = {}) {
  const req = new IncomingMessage(new Socket());
  Object.assign(req, { method: 'POST', url, headers: { host: 'evil.example', ...headers } });
  return { req, res: new ServerResponse(req) };
}

describe('a request that is passed to oidc-provider', () => {
  it('has the host and scheme of the issuer, whatever headers the caller sent', () => {
    const { engine, given } = recording();
    const { req, res } = received('/oauth/authorize?a=b', {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
    });
    engine.handle(req, res);
    expect(given[0]?.headers).toEqual({ host: 'issuer.example', 'x-forwarded-proto': 'https' });
  });

  it.each([
    ['https://evil.example:99999/oauth/authorize?a=b', '/oauth/authorize?a=b'],
    ['http://evil.example', '/'],
    ['/oauth/authorize?to=https://a.example', '/oauth/authorize?to=https://a.example'],
  ])('has its target in origin form: %s', (target, expected) => {
    const { engine, given } = recording();
    const { req, res } = received(target);
    engine.handle(req, res);
    expect(given[0]).toMatchObject({ url: expected, originalUrl: expected });
  });
});

describe('the mount path', () => {
  it.each([
    ['the path of the issuer', {}, '/realms/a/oauth/authorize'],
    ['that which is given', { mountPath: '' }, '/oauth/authorize'],
  ])('is %s', (_case, options, originalUrl) => {
    const { engine, given } = recording({ issuer: `${ISSUER}/realms/a`, ...options });
    const { req, res } = received('/oauth/authorize');
    engine.handle(req, res);
    expect(given[0]).toMatchObject({ url: '/oauth/authorize', originalUrl });
  });
});

it('requests a document without the headers of the original request', async () => {
  const { engine, given } = recording();
  const { req } = received('/elsewhere', { cookie: 'a=b', authorization: 'Basic c2VjcmV0' });
  const answer = engine.answerDocument(req, '/.well-known/openid-configuration');
  answer.catch(() => {}); // the library of this test never responds
  expect(given[0]).toMatchObject({ method: 'GET', url: '/.well-known/openid-configuration' });
  expect(given[0]?.headers).toEqual({
    accept: 'application/json',
    host: 'issuer.example',
    'x-forwarded-proto': 'https',
  });
});

describe('a replayed form', () => {
  it('has the given parameters, without the credentials and encoding of the original request', async () => {
    const { engine, given } = recording();
    const { req, res } = received('/oauth/token', {
      authorization: 'Basic c2VjcmV0',
      'content-encoding': 'gzip',
      'transfer-encoding': 'chunked',
      'content-type': 'text/plain',
    });
    engine.handleForm(req, res, new URLSearchParams({ grant_type: 'refresh_token', scope: 'a b' }));
    const [again] = given;
    if (!again) throw new Error('nothing was handed over');
    expect(again).toMatchObject({ method: 'POST', url: '/oauth/token', complete: true });
    expect(again.headers).toEqual({
      host: 'issuer.example',
      'x-forwarded-proto': 'https',
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '34',
    });
    expect(await text(again)).toBe('grant_type=refresh_token&scope=a+b');
  });
});

it('passes requests to the latest instance of the library', () => {
  const { engine, built } = recording();
  engine.rebuild();
  expect([built(), engine.provider()]).toEqual([2, expect.objectContaining({ number: 2 })]);
});
