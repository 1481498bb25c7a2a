import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { ROOT } from '@legate/dev';
import type { StackUnderTest } from '../stack-under-test.ts';

/** Replaces `jq -r .name`, so that the machine needs no jq */
const JQ =
  'jq() { node -e \'let t="";process.stdin.on("data",(d)=>t+=d).on("end",()=>console.log(JSON.parse(t)[process.argv[1].slice(1)]))\' "$2"; }';

/**
 * Runs the commands of a document against the stack.
 * @param name of the comment before them
 * @returns what the last of them wrote, as JSON
 */
export async function runDocumented(stack: StackUnderTest, document: string, name: string): Promise<unknown> {
  const text = readFileSync(`${ROOT}${document}`, 'utf8');
  const commands = new RegExp(`<!-- ${name} -->\\n\`\`\`bash\\n([\\s\\S]+?)\`\`\``).exec(text)?.[1] ?? '';
  const script = commands
    .replaceAll(/(?:http:\/\/)?localhost:4000/g, stack.urls['management-api'])
    .replaceAll(/(?:http:\/\/)?localhost:4002/g, stack.urls['mock-idp']);
  const { stdout } = await promisify(execFile)('bash', ['-c', `${JQ}\n${script}`], {
    timeout: 30_000,
    env: { PATH: process.env.PATH, no_proxy: '*' },
  });
  return JSON.parse(stdout);
}
