import { expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { challengeName } from './challenge.ts';
import { MAX_DOMAIN_LENGTH, parseDomain } from './domain-name.ts';

it.each([
  ['acme.com', 'acme.com'],
  [' ACME.com\n', 'acme.com'],
  ['mail.acme.co.uk', 'mail.acme.co.uk'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['Bu\u0308cher.example', 'xn--bcher-kva.example'],
  ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
  ['faß.de', 'xn--fa-hia.de'],
  ['acme。com', 'acme.com'],
  ['ａｃｍｅ.com', 'acme.com'],
  ['acme.vercel.app', 'acme.vercel.app'],
  ['www.ck', 'www.ck'],
  ['acme.internal', 'acme.internal'],
  ['127.0.0.1.nip.io', '127.0.0.1.nip.io'],
  ['gmail.acme.com', 'gmail.acme.com'],
  // Companies after which a provider is named, or the reverse
  ['orange.com', 'orange.com'],
  ['live.example', 'live.example'],
])('reads %j as %s', (written, domain) => {
  expect(parseDomain(written)).toEqual({ ok: true, domain });
});

it.each([
  ['nothing', ''],
  ['a single label', 'localhost'],
  ['a URL', 'https://acme.com'],
  ['a path', 'acme.com/'],
  ['a port', 'acme.com:443'],
  ['an e-mail address', 'alice@acme.com'],
  ['a wildcard', '*.acme.com'],
  ['a trailing dot', 'acme.com.'],
  ['an empty label', 'acme..com'],
  ['a label of more than 63 characters', `${'a'.repeat(64)}.com`],
  ['a hyphen at an edge', '-acme.com'],
  ['an underscore', '_dmarc.acme.com'],
  ['an encoded dot', 'acme%2ecom'],
  ['a space within', 'ac me.com'],
  ['U+0000', 'acme\u0000.com'],
  ['half a character', '\ud800.com'],
  ['bad punycode', 'xn--a.com'],
  ['bad punycode in a later label', 'acme.xn--a'],
  ['punycode of plain ASCII', 'xn--abc-.com'],
  ['punycode of punycode', 'xn--xn---epa.com'],
  ['an IPv4 address', '192.0.2.1'],
  ['a short IPv4 address', '127.1'],
  ['a hexadecimal IPv4 address', '0x7f.1'],
  ['an IPv6 address', '[2001:db8::1]'],
  ['a top-level domain', 'com'],
  ['a public suffix', 'co.uk'],
  ['a public suffix by a wildcard', 'anything.ck'],
  ['a private public suffix', 'vercel.app'],
  ['an internationalized public suffix', '公司.cn'],
])('refuses %s', (_case, written) => {
  expect(parseDomain(written)).toMatchObject({ ok: false, code: 'invalid_format' });
});

it.each([
  'gmail.com',
  ' GMAIL.com',
  'ｇmail.com',
  'smtp.gmail.com',
  'yahoo.co.jp',
  'orange.fr',
  't-online.de',
  'mailinator.com',
])('refuses %j, where anyone can get an address', (written) => {
  expect(parseDomain(written)).toMatchObject({ ok: false, code: 'domain_public_provider' });
});

it('leaves enough characters for the name of the challenge', () => {
  const ofLength = (length: number) => {
    const labels = `${'a'.repeat(59)}.`.repeat(3);
    return `${labels}${'b'.repeat(length - labels.length - 4)}.com`;
  };
  expect(parseDomain(ofLength(MAX_DOMAIN_LENGTH))).toMatchObject({ ok: true });
  expect(challengeName(ofLength(MAX_DOMAIN_LENGTH))).toHaveLength(253);
  expect(parseDomain(ofLength(MAX_DOMAIN_LENGTH + 1))).toMatchObject({ ok: false, code: 'too_long' });
});

it('returns a normalized form that it does not change again, and that the database accepts, for any input', () => {
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.domain(), fc.webUrl(), fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(anyText, (written) => {
      const result = parseDomain(written);
      if (!result.ok) return;
      expect(result.domain).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
      expect(parseDomain(result.domain)).toEqual(result);
    }),
    runs(1000),
  );
});
