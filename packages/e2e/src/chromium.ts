import { type Browser, chromium } from 'playwright-core';
import { z } from 'zod';

/** The default export of `@sparticuz/chromium`, which unpacks its executable when the path is requested. */
const Packaged = z.object({ default: z.object({ executablePath: z.custom<() => Promise<string>>() }) });

/**
 * Starts a Chromium; playwright-core brings none.
 * @param path the path that `needs('Chromium')` found: an executable, or the module of `@sparticuz/chromium`
 */
export async function launchChromium(path: string): Promise<Browser> {
  const isModule = path.endsWith('.js');
  const executablePath = isModule ? await unpack(path) : path;
  return chromium.launch({
    executablePath,
    // Not the package's own arguments, which turn off what our tests check (--disable-web-security).
    args: [
      '--no-sandbox', // root in a container cannot have a sandbox; only our own pages are opened
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

async function unpack(module: string): Promise<string> {
  const { default: packaged } = Packaged.parse(await import(module));
  return packaged.executablePath();
}
