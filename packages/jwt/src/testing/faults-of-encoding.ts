import type { Choice, Note } from './choice.ts';
import { NOW } from './scene.ts';

/** Encodes a value as JSON, sometimes with an encoding fault in the bytes. */
export function bytesOf(choice: Choice, note: Note, value: object): Buffer {
  const text = JSON.stringify(value);
  if (!choice.chance(0.08)) return Buffer.from(text);
  const [fault, changed] = choice.of<readonly [string, string | Buffer]>([
    ['duplicate members', `{"alg":"none","iss":"https://evil.example","exp":1,${text.slice(1)}`],
    ['duplicate members', `${text.slice(0, -1)},"alg":"none","iss":"https://evil.example"}`],
    ['duplicate members', `${text.slice(0, -1)},"exp":${NOW + 50},"typ":"JWT"}`],
    ['whitespace', ` \n${text}\t`],
    ['byte order mark', `\ufeff${text}`],
    ['byte order mark inside', text.replace(':', ':\ufeff')],
    ['infinity', text.replace(/"exp":[\d.]+/, '"exp":1e999')],
    ['no object', choice.of(['[]', 'null', '7', '"x"', `[${text}]`, 'true', '', '{}'])],
    [
      'no JSON',
      choice.of([text.slice(1), text.slice(0, -1), `${text}x`, text.replaceAll('"', "'"), `${text}${text}`]),
    ],
    ['U+0000', `${text}\u0000`],
    ['bad UTF-8', Buffer.concat([Buffer.from('{"\xff":1,', 'latin1'), Buffer.from(text.slice(1))])],
    [
      'surrogates in UTF-8',
      Buffer.concat([Buffer.from('{"\xed\xa0\x80":1,', 'latin1'), Buffer.from(text.slice(1))]),
    ],
    ['overlong UTF-8', Buffer.concat([Buffer.from('{"\xc0\x80":1,', 'latin1'), Buffer.from(text.slice(1))])],
    ['UTF-16', Buffer.from(text, 'utf16le')],
    ['latin1', Buffer.from(text.replace('hub', 'hüb'), 'latin1')],
  ]);
  note(`JSON: ${fault}`);
  return Buffer.from(changed);
}

const CHARACTERS = [...'ABCMZaz059-_', ...'+/=. \n\t\r\u0000"{}', 'é', '\u2028', '😀', '\ud800'];

/** Changes the text of a token. */
export function changeText(choice: Choice, note: Note, token: string): string {
  const at = choice.below(token.length);
  const parts = token.split('.');
  const [header = '', payload = '', signature = ''] = parts;
  const [change, changed] = choice.of<readonly [string, string]>([
    ['character', `${token.slice(0, at)}${choice.of(CHARACTERS)}${token.slice(at + 1)}`],
    ['character', `${token.slice(0, at)}${choice.of(CHARACTERS.slice(0, 12))}${token.slice(at + 1)}`],
    ['inserted', `${token.slice(0, at)}${choice.of(CHARACTERS)}${token.slice(at)}`],
    ['removed', `${token.slice(0, at)}${token.slice(at + 1)}`],
    ['cut', token.slice(0, at)],
    ['last character', `${token.slice(0, -1)}${choice.of(CHARACTERS.slice(0, 12))}`],
    ['padding', parts.map((part) => part.padEnd(Math.ceil(part.length / 4) * 4, '=')).join('.')],
    ['trailing bits', parts.map((part) => withTrailingBits(choice, part)).join('.')],
    ['plain base64', token.replaceAll('-', '+').replaceAll('_', '/')],
    [
      'space',
      choice.of([` ${token}`, `${token}\n`, `Bearer ${token}`, `${header}. ${payload}.${signature}`]),
    ],
    [
      'missing part',
      choice.of([
        `${header}.${payload}`,
        `${header}.${payload}.`,
        `.${payload}.${signature}`,
        `${header}..${signature}`,
      ]),
    ],
    [
      'dots',
      choice.of([
        `${token}.`,
        `.${token}`,
        `${token}.${signature}`,
        `${header}..${payload}.${signature}`,
        '..',
      ]),
    ],
    ['order', choice.of([`${payload}.${header}.${signature}`, `${header}.${header}.${signature}`])],
    ['JSON serialization', JSON.stringify({ protected: header, payload, signature })],
    ['length', `${token}${'A'.repeat(choice.of([1, 2, 3, 4, 17_000]))}`],
  ]);
  note(`text: ${change}`);
  return changed;
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Sets unused bits of the last character, which does not change the decoded bytes. */
function withTrailingBits(choice: Choice, part: string): string {
  const spare = { 2: 16, 3: 4 }[part.length % 4] ?? 1;
  const last = BASE64URL.indexOf(part.at(-1) ?? 'A');
  return `${part.slice(0, -1)}${BASE64URL[last - (last % spare) + choice.below(spare)]}`;
}
