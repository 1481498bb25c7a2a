import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { ROOT, SERVICE_NAMES } from '@legate/dev';
import type { StackUnderTest } from '../stack-under-test.ts';

/** Replaces `jq -r PATH`, so that the machine needs no jq */
const JQ =
  'jq() { node -e \'let t="";process.stdin.on("data",(d)=>t+=d).on("end",()=>console.log(Function("it","return it"+process.argv[1])(JSON.parse(t))))\' "$2"; }';
const AFTER_A_BLOCK = '\u001e';
const DOCUMENTED_PORTS = {
  'management-api': 4000,
  'tool-hub': 4001,
  'mock-idp': 4002,
  'reference-mcp-server': 4003,
};

/**
 * Runs the commands of a document against the stack.
 * @param name of the comment before them
 * @returns what the last of them wrote, as JSON
 */
export async function runDocumented(stack: StackUnderTest, document: string, name: string): Promise<unknown> {
  return JSON.parse((await runDocumentedBlocks(stack, document, name)).join(''));
}

/** Replaces the addresses of the services in a document by those of the stack. */
export function atStack(stack: StackUnderTest, text: string): string {
  return SERVICE_NAMES.reduce(
    (replaced, service) =>
      replaced.replaceAll(
        new RegExp(`(?:http://)?localhost:${DOCUMENTED_PORTS[service]}`, 'g'),
        stack.urls[service],
      ),
    text,
  );
}

/**
 * Runs all blocks of a document with this comment in one shell.
 * @param until a command for each block that depends on what comes about by itself, by the number of the block: it is
 * repeated until it succeeds
 * @param further addresses to replace besides those of the services
 * @returns what each block wrote
 */
export async function runDocumentedBlocks(
  stack: StackUnderTest,
  document: string,
  name: string,
  until: Readonly<Record<number, string>> = {},
  further: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const text = readFileSync(`${ROOT}${document}`, 'utf8');
  const blocks = [...text.matchAll(new RegExp(`<!-- ${name} -->\\n\`\`\`bash\\n([\\s\\S]+?)\`\`\``, 'g'))];
  if (blocks.length === 0) throw new Error(`${document} has no commands after <!-- ${name} -->`);
  const wait = (index: number) =>
    until[index] === undefined ? '' : `until ${until[index]}; do sleep 0.1; done\n`;
  let script = blocks
    .map(([, block], index) => `${wait(index)}${block}`)
    .join(`\nprintf '${AFTER_A_BLOCK}'\n`);
  script = atStack(stack, script);
  for (const [documented, actual] of Object.entries(further)) script = script.replaceAll(documented, actual);
  const { stdout } = await promisify(execFile)('bash', ['-c', `${JQ}\n${script}`], {
    timeout: 30_000,
    env: { PATH: process.env.PATH, no_proxy: '*' },
  });
  return stdout.split(AFTER_A_BLOCK);
}
