import { once } from 'node:events';
import type { ServicePorts } from '@legate/dev';
import { startDevCommand } from '../dev-command.ts';

/** Runs the demo on a running stack, as Alice, Bob and Carol, in the same way as `npm start`. @throws if it fails */
export async function runDemo(ports: ServicePorts): Promise<void> {
  const demo = startDevCommand('demo', ports);
  let written = '';
  for (const stream of [demo.stdout, demo.stderr])
    stream.on('data', (chunk: Buffer) => {
      written += chunk.toString('utf8');
    });
  const [code] = await once(demo, 'close');
  if (code !== 0) throw new Error(`the demo ended with ${code}:\n${written}`);
}
