import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from '../stack/services.ts';

/** A program of another workspace, in a process of its own: none of them is imported. Its exit code is the command's. */
const programAt =
  (path: string) =>
  async (env: NodeJS.ProcessEnv, _stdout: NodeJS.WriteStream, args: readonly string[]): Promise<number> => {
    const child = spawn(process.execPath, [`${ROOT}${path}`, ...args], { env, stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    return typeof code === 'number' ? code : 1; // null: a signal ended it
  };

/** `npm run doctor -- <url>`: the hub's own examination of a tool server */
export const doctor = programAt('apps/tool-hub/dist/doctor-main.js');
/** `npm run bench` */
export const bench = programAt('packages/bench/dist/main.js');
