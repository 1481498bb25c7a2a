import type { Mutant } from './mutants/mutant.ts';
import type { Plan } from './plan.ts';
import { type Judged, lineOf } from './report/report.ts';
import { createJudge } from './runner/judge.ts';
import { createWorkerProcess, type WorkerProcess } from './runner/worker-process.ts';

export interface Run {
  readonly judged: readonly Judged[];
  /** Test files that fail without a mutant, so that their failures prove nothing; they were left out. */
  readonly broken: readonly string[];
}

interface Settings {
  readonly root: string;
  readonly workers: number;
  readonly print: (line: string) => void;
}

export async function runMutants(mutants: readonly Mutant[], plan: Plan, settings: Settings): Promise<Run> {
  const { root, workers, print } = settings;
  const judge = createJudge(root);
  const judged: Judged[] = [];
  const broken: string[] = [];
  const files = [...new Set(mutants.map(({ file }) => file))];
  const tests = [...new Set(files.flatMap((file) => plan.testsFor(file)))];
  const processes = Array.from({ length: workers }, createWorkerProcess);
  try {
    print(`${tests.length} test files, without a mutant first`);
    await shareOut(tests, processes, async (worker, test) => {
      const failure = await judge.proveUnchanged(worker, test);
      if (failure === undefined) return;
      broken.push(test);
      print(`left out: ${test} fails without a mutant: ${failure}`);
    });
    await shareOut(mutants, processes, async (worker, mutant) => {
      const sound = plan.testsFor(mutant.file).filter((test) => !broken.includes(test));
      const verdict = await judge.judge(worker, mutant, sound);
      judged.push({ mutant, verdict });
      print(progressLine(judged.length, mutants.length, { mutant, verdict }));
    });
  } finally {
    for (const worker of processes) worker.stop();
  }
  return { judged, broken: [...broken, ...judge.unsteady] };
}

function progressLine(done: number, all: number, { mutant, verdict }: Judged): string {
  const by = 'by' in verdict ? `\n    by ${verdict.by}` : '';
  return `${done}/${all} ${verdict.kind} ${lineOf(mutant)}${by}`;
}

/** Each worker takes the next item when it has finished one. */
async function shareOut<T>(
  items: readonly T[],
  workers: readonly WorkerProcess[],
  handle: (worker: WorkerProcess, item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  await Promise.all(
    workers.map(async (worker) => {
      for (const item of queue) await handle(worker, item);
    }),
  );
}
