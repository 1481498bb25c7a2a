import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from '../stack/services.ts';

const DOCTOR = `${ROOT}apps/tool-hub/dist/doctor-main.js`;

/**
 * `npm run doctor -- <url>`: the hub's own examination of a tool server, in a process of its own: apps are not imported.
 * @returns the exit code
 */
export async function doctor(
  env: NodeJS.ProcessEnv,
  _stdout: NodeJS.WriteStream,
  args: readonly string[],
): Promise<number> {
  const child = spawn(process.execPath, [DOCTOR, ...args], { env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1; // null: a signal ended it
}
