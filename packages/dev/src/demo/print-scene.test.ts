import { expect, it } from '@jest/globals';
import type { ImitatedName } from '../stack/imitated.ts';
import { portsFrom, urlsOf } from '../stack/services.ts';
import { createStyle } from '../terminal/style.ts';
import { printScene } from './print-scene.ts';
import { createPrinter } from './printer.ts';

function organizationsOf(idp?: ImitatedName): (string | undefined)[] {
  let printed = '';
  const write = (text: string) => {
    printed += text;
  };
  const style = createStyle({ isTTY: false } as NodeJS.WriteStream, {});
  printScene(urlsOf(portsFrom({})), createPrinter(write, style, 100), idp);
  return ['alice', 'carol', 'dave'].map((name) => new RegExp(`${name}@.*  (\\S.*)`).exec(printed)?.[1]);
}

it('names the organization to which each user belongs, by the rule of the services', () => {
  expect(organizationsOf()).toEqual(['org_acme', 'org_globex', 'no organization']);
  expect(organizationsOf('auth0')).toEqual(organizationsOf());
  expect(organizationsOf('entra')).toEqual(['org_acme', 'org_acme', 'org_acme']);
});
