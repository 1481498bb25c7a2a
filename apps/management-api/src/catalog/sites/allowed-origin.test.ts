import { expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { parseAllowedOrigin } from './allowed-origin.ts';

/** The CHECK of the column: a value that is accepted here but not by the column would cause a 500. */
const COLUMN =
  /^(https:\/\/[a-z0-9.-]+(:[1-9][0-9]{0,4})?|http:\/\/(localhost|127\.0\.0\.1)(:[1-9][0-9]{0,4})?)$/;

it.each([
  ['https://portal.acme.com', 'https://portal.acme.com'],
  ['https://portal.acme.com/', 'https://portal.acme.com'],
  ['HTTPS://Portal.ACME.com', 'https://portal.acme.com'],
  ['https://portal.acme.com:443', 'https://portal.acme.com'],
  ['https://portal.acme.com:08443', 'https://portal.acme.com:8443'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://pr-12.preview.vercel.app', 'https://pr-12.preview.vercel.app'],
  ['http://localhost', 'http://localhost'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:65535', 'http://127.0.0.1:65535'],
  ['https://localhost:3000', 'https://localhost:3000'],
])('accepts %s as %s', (written, origin) => {
  expect(parseAllowedOrigin(written)).toEqual({ ok: true, origin });
});

it('accepts letters outside ASCII in a process that has parsed many URLs', () => {
  for (let call = 0; call < 20_000; call++) parseAllowedOrigin('https://portal.acme.com');
  expect(parseAllowedOrigin('https://bücher.example')).toMatchObject({ ok: true });
});

it.each([
  ['null', 'origin_invalid'],
  ['', 'origin_invalid'],
  ['portal.acme.com', 'origin_invalid'],
  ['//portal.acme.com', 'origin_invalid'],
  ['https:portal.acme.com', 'origin_invalid'],
  ['https:///portal.acme.com', 'origin_invalid'],
  ['https://portal.ac\tme.com', 'origin_invalid'],
  ['https://por\u00adtal.acme.com', 'origin_invalid'],
  ['https://ex%61mple.com', 'origin_invalid'],
  ['https://portal.acme.com.', 'origin_invalid'],
  ['https://a..b.com', 'origin_invalid'],
  ['https://-a.com', 'origin_invalid'],
  ['https://a_b.com', 'origin_invalid'],
  ['https://intranet', 'origin_invalid'],
  ['https://acme.com:0', 'origin_invalid'],
  ['https://acme.com:65536', 'origin_invalid'],
  ['ftp://acme.com', 'origin_invalid'],
  ['javascript:alert(1)', 'origin_invalid'],
  ['https://*.acme.com', 'origin_wildcard_unsupported'],
  ['*', 'origin_wildcard_unsupported'],
  ['https://user@acme.com', 'origin_has_userinfo'],
  ['https://user:secret@acme.com', 'origin_has_userinfo'],
  ['https://acme.com/app', 'origin_has_path'],
  ['https://acme.com//', 'origin_has_path'],
  ['https://acme.com?', 'origin_has_path'],
  ['https://acme.com#top', 'origin_has_path'],
  ['https://acme.com\\app', 'origin_has_path'],
  ['http://acme.com', 'origin_insecure'],
  ['http://localhost.acme.com', 'origin_insecure'],
  ['https://1', 'origin_ip_literal'],
  ['https://192.0.2.1', 'origin_ip_literal'],
  ['http://0x7f.1', 'origin_ip_literal'],
  ['http://127.1', 'origin_ip_literal'],
  ['http://[::1]:3000', 'origin_ip_literal'],
  ['https://vercel.app', 'origin_public_suffix'],
  ['https://co.uk', 'origin_public_suffix'],
])('refuses %j with %s', (written, code) => {
  expect(parseAllowedOrigin(written)).toMatchObject({ ok: false, code });
});

it('suggests how to fix the origin', () => {
  expect(parseAllowedOrigin('https://App.acme.com/login?next=1')).toMatchObject({
    detail: 'Use "https://app.acme.com".',
  });
});

it('accepts no value that the column refuses, and accepts its own output unchanged', () => {
  const nearly = fc
    .tuple(
      fc.constantFrom('https://', 'http://', 'HTTPS://', 'https:', 'wss://', ''),
      fc.oneof(fc.domain(), fc.ipV4(), fc.string({ unit: 'binary', maxLength: 30 }), fc.webAuthority()),
      fc.constantFrom('', '/', ':0', ':443', ':99999', '?', '#', '\\', '.', '/a'),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(nearly, fc.webUrl(), fc.string({ unit: 'binary' })), (written) => {
      const result = parseAllowedOrigin(written);
      if (!result.ok) return;
      expect(result.origin).toMatch(COLUMN);
      expect(parseAllowedOrigin(result.origin)).toEqual(result);
    }),
    runs(2500),
  );
});
