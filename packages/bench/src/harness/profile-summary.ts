import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** The parts of V8's `.cpuprofile` that are read here. */
const CpuProfile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

const TOP = 25;

/** Summarizes a CPU profile: the functions with the highest self time, and the packages. */
export async function summarizeProfile(path: string): Promise<string> {
  const { nodes, samples, timeDeltas } = CpuProfile.parse(JSON.parse(await readFile(path, 'utf8')));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byFunction = new Map<string, number>();
  const byPackage = new Map<string, number>();
  let total = 0;
  samples.forEach((id, index) => {
    const frame = frames.get(id);
    const microseconds = timeDeltas[index] ?? 0;
    if (!frame || isNotWork(frame)) return;
    total += microseconds;
    const name = `${frame.functionName || '(anonymous)'} ${shorten(frame.url)}:${frame.lineNumber + 1}`;
    byFunction.set(name, (byFunction.get(name) ?? 0) + microseconds);
    const group = packageOf(frame.url) || frame.functionName;
    byPackage.set(group, (byPackage.get(group) ?? 0) + microseconds);
  });
  return [...list(byPackage, total), '', ...list(byFunction, total)].join('\n');
}

function list(times: ReadonlyMap<string, number>, total: number): string[] {
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, TOP)
    .map(([name, time]) => `${((time / total) * 100).toFixed(1).padStart(5)} %  ${name}`);
}

/** Entries that are not work: waiting, and the profiler itself. */
const isNotWork = ({ functionName, url }: { functionName: string; url: string }): boolean =>
  functionName === '(idle)' || (functionName === 'dispatch' && url === '') || url === 'node:inspector';

const shorten = (url: string): string =>
  url.replace(/^.*\/node_modules\//, '').replace(/^file:.*\/(apps|packages)\//, '$1/');

/** `express`, `@scope/name`, `apps/tool-hub`, `node:internal` */
function packageOf(url: string): string {
  if (url.startsWith('node:')) return 'node';
  const short = shorten(url);
  return short
    .split('/')
    .slice(0, /^(@|apps\/|packages\/)/.test(short) ? 2 : 1)
    .join('/');
}
