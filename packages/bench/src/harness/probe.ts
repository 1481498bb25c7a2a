/**
 * Preloaded into every target by `node --import`; the program is unaware of it. Reports the resource usage of the
 * process over IPC, and profiles it on request.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { ProbeRequest, type Usage } from './probe-messages.ts';

const SAMPLING_MICROSECONDS = 100;

const session = new Session();

function readUsage(): Usage {
  const { user, system } = process.cpuUsage(); // microseconds, of all threads
  const { heapUsed, external } = process.memoryUsage();
  return {
    cpuMs: (user + system) / 1000,
    peakMemoryMb: process.resourceUsage().maxRSS / 1024,
    heldMemoryMb: (heapUsed + external) / 1024 ** 2,
  };
}

async function answer(request: ProbeRequest): Promise<void> {
  if (request.ask === 'start-profile') {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_MICROSECONDS });
    await session.post('Profiler.start');
  }
  if (request.ask === 'stop-profile') {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    writeFileSync(request.path, JSON.stringify(profile));
  }
  if (request.ask === 'collect-garbage') {
    session.connect();
    await session.post('HeapProfiler.collectGarbage');
    session.disconnect();
  }
  process.send?.({ usage: readUsage() });
}

process.on('message', (message) => {
  const request = ProbeRequest.safeParse(message);
  if (request.success) void answer(request.data);
});
process.once('disconnect', () => process.exit()); // the benchmark was interrupted
// The IPC channel must not keep the target running.
process.channel?.unref();
