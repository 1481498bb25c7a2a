import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { ROOT } from '@legate/dev';
import type { StackUnderTest } from '../stack-under-test.ts';

/** Replaces `jq -r .name`, so that the machine needs no jq */
const JQ =
  'jq() { node -e \'let t="";process.stdin.on("data",(d)=>t+=d).on("end",()=>console.log(JSON.parse(t)[process.argv[1].slice(1)]))\' "$2"; }';

export function describeOnboarding(stack: () => StackUnderTest): void {
  it('creates an organization by the commands of the README, from the sign-in to the consent', async () => {
    const readme = readFileSync(`${ROOT}README.md`, 'utf8');
    const commands = /<!-- create-org -->\n```bash\n([\s\S]+?)```/.exec(readme)?.[1] ?? '';
    const script = commands
      .replaceAll('http://localhost:4000', stack().urls['management-api'])
      .replaceAll('http://localhost:4002', stack().urls['mock-idp']);
    const { stdout } = await promisify(execFile)('bash', ['-c', `${JQ}\n${script}`], {
      timeout: 30_000,
      env: { PATH: process.env.PATH, no_proxy: '*' },
    });
    expect(JSON.parse(stdout)).toEqual({
      organization_id: expect.stringMatching(/^org_/),
      redirect_to: expect.stringContaining('http://localhost:5173/welcome'),
      token_refresh_required: true,
    });
  });
}
