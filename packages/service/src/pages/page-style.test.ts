import { describe, expect, it } from '@jest/globals';
import { PAGE_STYLE } from './page-style.ts';

const [light = '', dark = ''] = PAGE_STYLE.split('@media (prefers-color-scheme: dark)');

const coloursOf = (part: string) =>
  new Map([...part.matchAll(/--([\w-]+):\s*#([0-9a-f]{6})/g)].map(([, name = '', hex = '']) => [name, hex]));

/** WCAG 2.2, relative luminance */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

describe.each([
  ['light', coloursOf(light)],
  ['dark', coloursOf(dark)],
])('in the %s scheme', (_scheme, colours) => {
  it.each([
    ['text', 'card', 4.5],
    ['text', 'background', 4.5],
    ['muted', 'card', 4.5],
    ['muted', 'background', 4.5],
    ['accent-text', 'accent', 4.5],
    ['accent', 'card', 4.5],
    ['accent', 'background', 4.5],
    ['danger', 'danger-background', 4.5],
    ['danger', 'card', 4.5],
    ['line', 'card', 3],
  ])('%s on %s has a contrast of enough to 1', (front, back, enough) => {
    const ratio = contrast(colours.get(front) ?? '', colours.get(back) ?? '');
    expect(ratio).toBeGreaterThanOrEqual(enough);
  });
});

it('contains colours only in the variables of the schemes, so that both schemes define all of them', () => {
  const rules = PAGE_STYLE.replace(/--[\w-]+:[^;]+;/g, '');
  expect(rules.match(/#[0-9a-f]{3,8}\b/gi)).toBeNull();
  expect([...coloursOf(dark).keys()]).toEqual([...coloursOf(light).keys()]);
});
