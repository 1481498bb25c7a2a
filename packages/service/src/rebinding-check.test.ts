import { expect, it } from '@jest/globals';
import { createRebindingCheck } from './rebinding-check.ts';

const PAGE = 'https://app.example';

it.each<[string, string | undefined, string | undefined, 'Host' | 'Origin' | undefined]>([
  ['https://tools.example', 'tools.example', undefined, undefined],
  ['https://tools.example', 'TOOLS.example:8443', undefined, undefined],
  ['https://tools.example', 'tools.example', PAGE, undefined],
  ['https://tools.example', 'tools.example', 'https://evil.example', 'Origin'],
  ['https://tools.example', 'tools.example', 'null', 'Origin'],
  ['https://tools.example', 'tools.example', '', 'Origin'],
  ['https://tools.example', 'evil.example', PAGE, 'Host'],
  ['https://tools.example', 'tools.example.evil.example', undefined, 'Host'],
  ['https://tools.example', 'evil.example@tools.example', undefined, 'Host'],
  ['https://tools.example', 'localhost', undefined, 'Host'],
  ['https://tools.example', undefined, undefined, 'Host'],
  ['http://localhost:4001', '127.0.0.1:9000', undefined, undefined],
  ['http://127.0.0.1:4001', '[::1]:4001', undefined, undefined],
  ['http://[::1]:4001', 'localhost', undefined, undefined],
  ['http://localhost:4001', 'localhost.evil.example', undefined, 'Host'],
])('at %s, with Host %s and Origin %s, refuses for: %s', (publicUrl, host, origin, fault) => {
  const check = createRebindingCheck(publicUrl, [PAGE]);
  expect(check({ ...(host !== undefined && { host }), ...(origin !== undefined && { origin }) })).toBe(fault);
});
