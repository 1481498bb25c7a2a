import { expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { shownAddress } from './shown-address.ts';

const shown = (url: string) => Object.values(shownAddress(url)).join('');

it.each([
  ['https://vscode.dev/oauth/client-metadata.json', 'vscode.dev'],
  ['https://storage.example/mallory/client.json?generation=7', 'storage.example'],
  ['https://pages.example:8443/', 'pages.example:8443'],
])('shows the whole of %s', (url, host) => {
  expect([shown(url), shownAddress(url).host]).toEqual([url, host]);
});

it('leaves out the middle of a long address, but never its host, or the beginning or end of its path', () => {
  const path = fc.stringMatching(/^[a-z0-9/._~%-]{0,400}$/).filter((text) => !/%(?![0-9a-f]{2})/.test(text));
  const host = fc.stringMatching(/^[a-z]{1,60}(\.[a-z]{1,60}){1,3}$/);
  fc.assert(
    fc.property(host, path, (name, rest) => {
      const { href, pathname } = new URL(`https://${name}/${rest}`);
      const { host: strong, after } = shownAddress(href);
      expect(strong).toBe(name);
      expect(after.length).toBeLessThanOrEqual(161);
      expect([after.slice(0, 40), after.slice(-40)]).toEqual([pathname.slice(0, 40), pathname.slice(-40)]);
    }),
    runs(200),
  );
});
