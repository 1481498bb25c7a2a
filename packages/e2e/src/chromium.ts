import { type Browser, chromium } from 'playwright-core';
import { z } from 'zod';

/** The default export of `@sparticuz/chromium`: its executable is unpacked when the path is asked for. */
const Packaged = z.object({ default: z.object({ executablePath: z.custom<() => Promise<string>>() }) });

/**
 * Starts a Chromium; playwright-core brings none.
 * @param path what `needs('Chromium')` found: an executable, or the module of `@sparticuz/chromium`
 */
export async function launchChromium(path: string): Promise<Browser> {
  const isModule = path.endsWith('.js');
  const executablePath = isModule ? await unpack(path) : path;
  return chromium.launch({
    executablePath,
    // Never the arguments of the package, which turn off what our tests are about (--disable-web-security).
    args: [
      '--no-sandbox', // a container's root cannot have one; only our own pages are opened
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
