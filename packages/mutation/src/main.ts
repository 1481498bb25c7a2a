import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { choose } from './mutants/choose.ts';
import { HELP, parseOptions } from './options.ts';
import { makePlan } from './plan.ts';
import { parseAccepted } from './report/accepted.ts';
import { lineOf, report } from './report/report.ts';
import { runMutants } from './run-mutants.ts';
import { SECURITY_CORE } from './sources/core.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');
const ACCEPTED = `${ROOT}/packages/mutation/accepted-survivors.json`;

/** @returns the exit code */
export async function main(args: readonly string[], out: NodeJS.WritableStream): Promise<number> {
  const options = parseOptions(args);
  if (!options) return print(out, HELP);
  const accepted = parseAccepted(readFileSync(ACCEPTED, 'utf8'));
  const plan = makePlan(ROOT, SECURITY_CORE);
  const candidates = plan.mutants.filter(
    ({ id, file }) =>
      (options.only.length === 0 || options.only.some((part) => file.includes(part))) &&
      (options.ids.length === 0 || options.ids.includes(id)),
  );
  const mutants = choose(candidates, options.count, options.seed);
  if (options.list) return print(out, `${mutants.map(lineOf).join('\n')}\n${mutants.length} mutants\n`);
  const { judged, broken } = await runMutants(mutants, plan, {
    root: ROOT,
    workers: options.workers,
    print: (line) => out.write(`${line}\n`),
  });
  const { text, isClean } = report(judged, broken, plan.mutants, accepted);
  out.write(`${text}\n`);
  if (broken.length > 0) return 2;
  return isClean ? 0 : 1;
}

function print(out: NodeJS.WritableStream, text: string): number {
  out.write(text);
  return 0;
}
