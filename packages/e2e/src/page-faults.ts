/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Page } from 'playwright-core';

/** WCAG 2.2 AA, 1.4.3: of text that is not large */
const CONTRAST = 4.5;
/** WCAG 2.2 AA, 2.5.8 */
const TARGET_PIXELS = 24;

/**
 * Returns what would keep people from using a page: headings and landmarks, names of what can be pressed, contrast as the
 * browser has computed it, sizes of targets, and content that is wider than the window. It is no replacement for axe, and
 * finds what pages without script can get wrong.
 */
export const pageFaults = (page: Page): Promise<string[]> =>
  page.evaluate(findFaults, { contrast: CONTRAST, target: TARGET_PIXELS });

/** Runs in the browser, so it refers to nothing outside. */
function findFaults(least: { contrast: number; target: number }): string[] {
  const faults: string[] = [];
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const shown = (element: Element) => element.getClientRects().length > 0;
  const nameOf = (element: HTMLElement) => {
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
    return [element.getAttribute('aria-label'), element.innerText, ...labels.map((label) => label.innerText)]
      .join('')
      .trim();
  };

  if (document.documentElement.lang === '') faults.push('no language');
  if (document.title.trim() === '') faults.push('no title');
  for (const [selector, number] of [
    ['h1', 1],
    ['main', 1],
  ] as const)
    if (all(selector).length !== number) faults.push(`${all(selector).length} ${selector}`);
  const levels = all('h1,h2,h3,h4').map(({ tagName }) => Number(tagName[1]));
  if (levels.some((level, place) => level > (levels[place - 1] ?? 0) + 1)) faults.push(`headings: ${levels}`);
  const ids = all('[id]').map(({ id }) => id);
  if (new Set(ids).size < ids.length) faults.push('an id twice');
  for (const name of all('[aria-describedby]').flatMap((element) =>
    (element.getAttribute('aria-describedby') ?? '').split(' '),
  ))
    if (!ids.includes(name)) faults.push(`described by ${name}, which is missing`);

  for (const element of all('a[href],button,input:not([type=hidden])').filter(shown)) {
    if (nameOf(element) === '') faults.push(`no name: ${element.outerHTML.slice(0, 80)}`);
    const { width, height } = element.getBoundingClientRect();
    const isInline = getComputedStyle(element).display === 'inline';
    if (!isInline && (width < least.target || height < least.target))
      faults.push(`small: ${nameOf(element)}`);
  }

  const colour = (text: string) => (text.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (rgb: readonly number[]) => {
    const [r = 0, g = 0, b = 0] = rgb.map((part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backgroundOf = (element: Element | null): number[] => {
    if (!element) return [255, 255, 255];
    const own = colour(getComputedStyle(element).backgroundColor);
    return own.length === 3 || own[3] === 1 ? own : backgroundOf(element.parentElement);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!element || !shown(element) || texts.currentNode.textContent?.trim() === '') continue;
    const [a, b] = [colour(getComputedStyle(element).color), backgroundOf(element)].map(luminance);
    const ratio = (Math.max(a ?? 0, b ?? 0) + 0.05) / (Math.min(a ?? 0, b ?? 0) + 0.05);
    if (ratio < least.contrast)
      faults.push(`contrast ${ratio.toFixed(2)}: ${texts.currentNode.textContent?.trim()}`);
  }

  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push(`${scrollWidth - clientWidth} pixels wider than the window`);
  return faults;
}
