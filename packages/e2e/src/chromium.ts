import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const USUAL_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Starts the Chromium of this machine; playwright-core brings none.
 * @throws {Error} there is none: a suite for browsers must not pass without one
 */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH || USUAL_PATHS.find((path) => existsSync(path));
  if (!executablePath) {
    throw new Error(
      'no Chromium was found: install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to where it is',
    );
  }
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox', // a container's root cannot have one; only our own pages are opened
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
