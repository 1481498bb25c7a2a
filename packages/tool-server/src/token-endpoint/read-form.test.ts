import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { plainRequest } from '../http/plain.ts';
import { BodyTaken, readForm as readPlain } from './read-form.ts';

const readForm = (request: Request, parsedBody: unknown) => readPlain(plainRequest(request, parsedBody));

const FORM = 'application/x-www-form-urlencoded';
const post = (body: NonNullable<RequestInit['body']> | null, headers: Record<string, string> = {}) =>
  new Request('https://tools.example/oauth/token', {
    method: 'POST',
    headers: { 'Content-Type': FORM, ...headers },
    body,
  });

describe('a body that nobody has read', () => {
  it.each<[string, Request, string]>([
    ['as text', post('a=b'), 'a=b'],
    ['without content', post(null), ''],
    ['of exactly 64 KiB', post('x'.repeat(65_536)), 'x'.repeat(65_536)],
    [
      'in another charset',
      post(new Uint8Array([0xe4]), { 'Content-Type': `${FORM}; charset="latin1"` }),
      'ä',
    ],
    ['packed', post(gzipSync('a=b'), { 'Content-Encoding': 'GZIP' }), 'a=b'],
  ])('is read %s', async (_case, request, text) => {
    expect(await readForm(request, undefined)).toBe(text);
  });

  it.each<[string, Request, number]>([
    ['too large', post('x'.repeat(65_537)), 413],
    ['too large when unpacked', post(gzipSync('x'.repeat(70_000)), { 'Content-Encoding': 'gzip' }), 413],
    ['not the gzip it claims to be', post('a=b', { 'Content-Encoding': 'gzip' }), 400],
    ['in an unknown encoding', post('a=b', { 'Content-Encoding': 'zebra' }), 415],
    ['in an unknown charset', post('a=b', { 'Content-Type': `${FORM}; charset=klingon` }), 415],
    ['broken off', broken(), 400],
  ])('is refused if it is %s', async (_case, request, status) => {
    await expect(readForm(request, undefined)).rejects.toMatchObject({ code: 'invalid_request', status });
  });

  it('is read only up to the limit', async () => {
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks += 1;
        controller.enqueue(new Uint8Array(10_000));
      },
    });
    const request = new Request('https://tools.example/', { method: 'POST', body: endless, duplex: 'half' });
    await expect(readForm(request, undefined)).rejects.toMatchObject({ status: 413 });
    expect(chunks).toBeLessThan(10);
  });
});

describe('a body that a parser has read', () => {
  it.each<[string, unknown, string]>([
    ['a flat object', { a: 'b c', d: '' }, 'a=b+c&d='],
    ['a repeated parameter', { a: ['1', '2'], b: '3' }, 'a=1&a=2&b=3'],
    ['text', 'a=1&a=2', 'a=1&a=2'],
    ['bytes', new TextEncoder().encode('a=ä'), 'a=ä'],
    ['an ArrayBuffer', new TextEncoder().encode('a=b').buffer, 'a=b'],
    ['search parameters', new URLSearchParams('a=1&a=2'), 'a=1&a=2'],
    ['form data', formData(), 'a=1&a=2'],
    ['nothing but an empty object', {}, ''],
  ])('is turned back into a form: %s', async (_case, parsedBody, text) => {
    expect(await readForm(post(null), parsedBody)).toBe(text);
  });

  it.each<[string, unknown]>([
    ['a JSON array', ['a']],
    ['a JSON number', 7],
    ['null: read, and nothing was parsed', null],
  ])('is reported as a mistake of the application: %s', async (_case, parsedBody) => {
    await expect(readForm(post(null), parsedBody)).rejects.toThrow(BodyTaken);
  });

  it.each<[string, unknown]>([
    ['a nested object', { a: { b: 'c' } }],
    ['a nested array', { a: [['b']] }],
    ['a list of objects', { a: [{ b: 'c' }] }],
    ['a number', { a: 1 }],
    ['null', { a: null }],
  ])(
    'refuses a parameter that is no text, as parsers make them of `a[b]=c`: %s',
    async (_case, parsedBody) => {
      await expect(readForm(post(null), parsedBody)).rejects.toMatchObject({
        code: 'invalid_request',
        status: 400,
      });
    },
  );

  it('is reported as a mistake of the application if the parser kept nothing', async () => {
    const request = post('a=b');
    await request.text();
    await expect(readForm(request, undefined)).rejects.toThrow(BodyTaken);
  });

  it('has the same limit', async () => {
    await expect(readForm(post(null), { a: 'x'.repeat(65_534) })).resolves.toHaveLength(65_536);
    await expect(readForm(post(null), { a: 'x'.repeat(65_535) })).rejects.toMatchObject({ status: 413 });
    await expect(readForm(post(null), 'ä'.repeat(40_000))).rejects.toMatchObject({ status: 413 });
  });
});

function formData(): FormData {
  const form = new FormData();
  form.append('a', '1');
  form.append('a', '2');
  return form;
}

function broken(): Request {
  const body = new ReadableStream({ start: (controller) => controller.error(new Error('aborted')) });
  return new Request('https://tools.example/', { method: 'POST', body, duplex: 'half' });
}
