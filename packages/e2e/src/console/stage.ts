import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { signIn, type Visit, visit } from './visit.ts';

export interface Stage {
  /** The running services; they can be read once the tests begin. */
  readonly stack: StackUnderTest;
  /** Opens a browser for one person, who is not signed in, until the test ends */
  visit(): Promise<Visit>;
  /** Signs a person in, in a browser of their own until the test ends. @returns on Home */
  visitAs(email: string): Promise<Visit>;
  /** Signs a person in as `visitAs` does, and opens a path of the console. */
  pageOf(email: string, path: string): Promise<Page>;
}

/** Options of a stack; a running stack is none, though its members would fit. */
type StackTestOptions = NonNullable<Parameters<typeof startStackUnderTest>[0]> & { readonly urls?: never };

const WINDOW = { viewport: { width: 1280, height: 800 } };

/**
 * Starts a browser and a stack for the tests of a file, and stops them after it.
 * @param program path of Chromium
 * @param prepare prepares the stack before the first test
 * @param options returns the options of the stack
 */
export function setStage(
  program: string,
  prepare?: (stack: StackUnderTest) => Promise<void>,
  options: () => Promise<StackTestOptions> = async () => ({}),
): Stage {
  let chromium: Browser;
  let stack: StackUnderTest;
  const visits: Visit[] = [];

  beforeAll(async () => {
    // One after the other, so that each is stopped if the next does not start.
    chromium = await launchChromium(program);
    stack = await startStackUnderTest(await options());
    await prepare?.(stack);
  });
  afterEach(async () => {
    for (const { context } of visits.splice(0)) await context.close();
  });
  afterAll(async () => {
    try {
      await chromium?.close();
    } finally {
      await stack?.stop();
    }
  });

  async function begin(): Promise<Visit> {
    const visitor = await visit(chromium, WINDOW);
    visits.push(visitor);
    return visitor;
  }
  async function visitAs(email: string): Promise<Visit> {
    const visitor = await begin();
    await signIn(visitor, stack.urls.console, email);
    return visitor;
  }

  return {
    get stack() {
      return stack;
    },
    visit: begin,
    visitAs,
    async pageOf(email, path) {
      const { page } = await visitAs(email);
      await page.goto(`${stack.urls.console}${path}`);
      return page;
    },
  };
}
