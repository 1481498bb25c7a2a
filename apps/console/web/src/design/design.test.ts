import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { niceCeiling, stack } from './bars-scale.ts';
import { placeBeside } from './place.ts';
import { createToastQueue } from './toast-queue.ts';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
const themes = ['light', 'dark'] as const;

/** The colours of a theme, by token. */
function coloursOf(theme: (typeof themes)[number]): ReadonlyMap<string, string> {
  const block = new RegExp(`\\[data-theme="${theme}"\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  return new Map(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [`${name}`, `${colour}`]),
  );
}

/** @see WCAG 2.2, relative luminance */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const GROUNDS = ['page', 'surface', 'sunken'];
const TEXT = 4.5;
const CONTROL = 3;
const PAIRS: readonly (readonly [string, readonly string[], number])[] = [
  ['text', [...GROUNDS, 'accent-surface', 'allowed-surface', 'warning-surface', 'refused-surface'], TEXT],
  ['muted', [...GROUNDS, 'accent-surface', 'warning-surface', 'refused-surface'], TEXT],
  ['accent', [...GROUNDS, 'accent-surface'], TEXT],
  ['on-accent', ['accent'], TEXT],
  ['allowed', [...GROUNDS, 'allowed-surface'], TEXT],
  ['warning', [...GROUNDS, 'warning-surface'], TEXT],
  ['refused', [...GROUNDS, 'refused-surface'], TEXT],
  ['control-border', GROUNDS, CONTROL],
];

describe.each(themes)('the colours of the %s theme', (theme) => {
  const colours = coloursOf(theme);
  const cases = PAIRS.flatMap(([front, grounds, least]) =>
    grounds.map((ground) => [front, ground, least] as const),
  );

  it.each(cases)('%s can be read on %s', (front, ground, least) => {
    expect(
      contrast(colours.get(front) ?? '#000000', colours.get(ground) ?? '#000000'),
    ).toBeGreaterThanOrEqual(least);
  });
});

it.each([
  [0, 5],
  [5, 5],
  [6, 10],
  [13, 20],
  [99, 100],
  [1204, 2000],
])('ends an axis for %d at %d', (highest, ceiling) => {
  expect(niceCeiling(highest)).toBe(ceiling);
});

it('stacks the parts of a bar from its foot', () => {
  expect(stack([50, 25], 100, 160)).toEqual([
    { y: 80, height: 80 },
    { y: 40, height: 40 },
  ]);
});

describe('placeBeside', () => {
  const window = { width: 400, height: 300 };
  const wish = { align: 'end', gap: 4 } as const;
  const anchor = (top: number, left: number) => ({ top, bottom: top + 30, left, right: left + 30 });

  it('places the element below, with aligned right edges', () => {
    expect(placeBeside(anchor(10, 300), { width: 100, height: 50 }, window, wish)).toEqual({
      top: 44,
      left: 230,
    });
  });

  it('places the element above if there is no room below', () => {
    expect(placeBeside(anchor(250, 300), { width: 100, height: 50 }, window, wish).top).toBe(196);
  });

  it('never places the element outside the window', () => {
    expect(placeBeside(anchor(10, 0), { width: 200, height: 50 }, window, wish).left).toBe(8);
    expect(
      placeBeside(anchor(10, 390), { width: 200, height: 50 }, window, { align: 'start', gap: 4 }).left,
    ).toBe(192);
  });
});

it('shows at most three messages, the newest ones', () => {
  const queue = createToastQueue();
  for (const title of ['a', 'b', 'c', 'd']) queue.add(title);
  expect(queue.current().map(({ title }) => title)).toEqual(['b', 'c', 'd']);
});
