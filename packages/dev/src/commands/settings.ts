import { writeFile } from 'node:fs/promises';
import { loadSettings } from '../settings/load-settings.ts';
import { renderSettings } from '../settings/render-settings.ts';
import { ROOT } from '../stack/services.ts';

/**
 * `npm run settings`: writes the page about every setting.
 * @returns the exit code
 */
export async function settings(_env: NodeJS.ProcessEnv, stdout: NodeJS.WriteStream): Promise<number> {
  const path = 'docs/operations/settings.md';
  await writeFile(`${ROOT}${path}`, renderSettings(await loadSettings()));
  stdout.write(`${path} is written\n`);
  return 0;
}
