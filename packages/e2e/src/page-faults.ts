/// <reference lib="dom" />
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Returns the accessibility faults of a page: violations of WCAG 2.2 AA and of axe's best practices, and content that
 * is wider than the window.
 * @param options.leaveOut best practices that a page does not follow
 */
export async function pageFaults(
  page: Page,
  options: { leaveOut?: readonly string[] } = {},
): Promise<string[]> {
  // Injected with the debugger, to which the Content-Security-Policy of our pages does not apply.
  await page.evaluate(axe.source);
  return page.evaluate(findFaults, options.leaveOut ?? []);
}

/** Runs in the browser, so it refers to nothing outside. */
async function findFaults(leaveOut: readonly string[]): Promise<string[]> {
  const { axe } = window as unknown as { axe: typeof import('axe-core') };
  const off = Object.fromEntries(leaveOut.map((rule) => [rule, { enabled: false }]));
  const { violations } = await axe.run(document, { rules: { ...off, 'target-size': { enabled: true } } });
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`),
  );
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push(`${scrollWidth - clientWidth} pixels wider than the window`);
  return faults;
}
