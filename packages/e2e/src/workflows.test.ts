import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDER = `${ROOT}.github/workflows/`;
const PARSER = fileURLToPath(new URL('workflow-faults.mjs', import.meta.url));
const WORKFLOWS = readdirSync(FOLDER).filter((name) => /\.ya?ml$/.test(name));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly environment?: string;
  readonly container?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  /** Another workflow, in the place of steps */
  readonly uses?: string;
  readonly steps?: readonly Step[];
}
interface Workflow {
  readonly on: unknown;
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const read = (name: string) => readFileSync(`${FOLDER}${name}`, 'utf8');
const workflowOf = (name: string): Workflow => parse(read(name));

function faultsOf(content: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PARSER], {
    input: content,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

describe.each(WORKFLOWS)('%s', (name) => {
  it('is a valid workflow', () => {
    expect(faultsOf(read(name))).toBe('');
  });

  it('pins actions by commit, with the version in a comment', () => {
    const used = read(name)
      .split('\n')
      .filter((line) => /^\s*(- )?uses: (?!\.\/)/.test(line));
    for (const line of used) expect(line).toMatch(/uses: [\w.-]+(\/[\w.-]+)+@[0-9a-f]{40} # v\d+(\.\d+)*$/);
  });

  it('starts with read permissions only', () => {
    expect([{}, { contents: 'read' }]).toContainEqual(workflowOf(name).permissions);
  });
});

it.each([
  ['a value of the wrong type', 'timeout-minutes: 60', 'timeout-minutes: an hour', "'an hour'"],
  ['a job that does not exist', 'needs: version\n', 'needs: versions\n', "unknown job 'versions'"],
  ['an unknown name in an expression', 'steps.compare.', 'stepz.compare.', "'stepz'"],
])('finds %s in a workflow', (_case, right, wrong, fault) => {
  expect(faultsOf(read('release.yml').replace(right, wrong))).toContain(fault);
});

describe('release.yml', () => {
  const { on, jobs } = workflowOf('release.yml');
  const commandsOf = (job: Job | undefined) => (job?.steps ?? []).flatMap(({ run }) => run ?? []);

  it('runs on pushes to the default branch, one after the other', () => {
    expect(on).toEqual({ push: { branches: ['main'] } });
  });

  it('publishes only after a person has approved it, and all checks have passed', () => {
    const { publish, check } = jobs;
    expect([publish?.environment, publish?.needs]).toEqual(['release', ['version', 'check']]);
    expect(check?.if).toBe("needs.version.outputs.is-new == 'true'");
    expect(commandsOf(check)).toContain('.ci/run');
    expect(commandsOf(publish).at(-1)).toContain('npx changeset publish\ngit push --follow-tags');
  });

  it('may get an identity token only in the publishing job, and uses no npm token', () => {
    const withIdentity = Object.entries(jobs).filter(
      ([, job]) => job.permissions?.['id-token'] !== undefined,
    );
    expect(withIdentity.map(([id]) => id)).toEqual(['publish', 'images']);
    expect(read('release.yml')).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN|registry-url:|secrets\./);
  });

  it('publishes with a Node.js whose npm has trusted publishing (11.5.1), from an install without scripts', () => {
    const node = jobs.publish?.steps?.find(({ uses }) => uses?.startsWith('actions/setup-node@'));
    expect(node?.with?.['node-version']).toBe(24);
    expect(commandsOf(jobs.publish)[0]).toMatch(/^npm ci --ignore-scripts/);
  });

  it('creates the release last, with its notes, an SBOM, and the digest of each image', () => {
    expect(jobs.announce?.needs).toEqual(['version', 'images']);
    const command = commandsOf(jobs.announce).join('');
    for (const part of ['scripts/release/notes.mjs', 'npm sbom', '$image@$digest', 'gh release create'])
      expect(command).toContain(part);
  });

  it('runs scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
    const version = jobs.version?.steps?.find(({ uses }) => uses?.startsWith('changesets/action@'))?.with
      ?.version;
    expect(version).toBe('npm run version-packages');
    expect(scripts).toHaveProperty(['version-packages']);
    expect(existsSync(`${ROOT}.ci/run`)).toBe(true);
  });
});

describe('ci.yml', () => {
  const { deployment } = workflowOf('ci.yml').jobs;
  const commands = (deployment?.steps ?? []).flatMap(({ run }) => run ?? []);

  it('runs every check in infra', () => {
    const checks = readdirSync(`${ROOT}infra`).map((folder) => `infra/${folder}/check`);
    expect(commands.filter((command) => command.startsWith('infra/')).sort()).toEqual(
      checks.filter((file) => existsSync(`${ROOT}${file}`)).sort(),
    );
  });

  it('pins its tools, with the Prometheus of docker-compose.yml', () => {
    const images = [...commands.join('\n').matchAll(/^take (\S+)/gm)].map(([, image]) => image);
    expect(images).toHaveLength(3);
    for (const image of images) expect(image).toMatch(/:v\d+\.\d+\.\d+(@sha256:[0-9a-f]{64})?$/);
    expect(parse(readFileSync(`${ROOT}docker-compose.yml`, 'utf8')).services.prometheus.image).toBe(
      images[2],
    );
  });
});

describe('nightly.yml', () => {
  const { everything, report } = workflowOf('nightly.yml').jobs;

  it('runs the tests that the gate leaves out, and opens an issue if any job fails', () => {
    expect(everything?.steps?.map(({ run }) => run)).toContain('.ci/nightly');
    expect(existsSync(`${ROOT}.ci/nightly`)).toBe(true);
    const others = Object.keys(workflowOf('nightly.yml').jobs).filter((name) => name !== 'report');
    expect([report?.needs, report?.if]).toEqual([others, 'failure()']);
    expect(report?.steps?.[0]?.run).toMatch(/^gh issue create /);
  });
});

describe('images.yml', () => {
  const { image } = workflowOf('images.yml').jobs;

  it('builds an image of each app', () => {
    expect([...(image?.strategy?.matrix.app ?? [])].sort()).toEqual(readdirSync(`${ROOT}apps`).sort());
  });

  it('signs pushed images by their digest', () => {
    const commands = (image?.steps ?? []).flatMap(({ run }) => run ?? []);
    expect(commands.join()).toContain('cosign sign --yes "$IMAGE"');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the code host
    expect(read('images.yml')).toContain('outputs.image }}@${{ steps.build.outputs.digest }}');
    const build = image?.steps?.find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
    expect(build?.with).toMatchObject({ sbom: true, provenance: 'mode=max' });
  });
});

describe('other files that the code host reads', () => {
  it.each(['.github/dependabot.yml', '.github/ISSUE_TEMPLATE/bug.yml', '.github/ISSUE_TEMPLATE/idea.yml'])(
    '%s is YAML',
    (file) => {
      expect(parse(readFileSync(`${ROOT}${file}`, 'utf8'))).toBeInstanceOf(Object);
    },
  );

  it('CODEOWNERS names paths that exist', () => {
    const paths = readFileSync(`${ROOT}.github/CODEOWNERS`, 'utf8').match(/^\/\S+/gm) ?? [];
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) expect([path, existsSync(`${ROOT}${path.slice(1)}`)]).toEqual([path, true]);
  });

  it('the devcontainer builds from its Dockerfile', () => {
    const { build } = JSON.parse(readFileSync(`${ROOT}.devcontainer/devcontainer.json`, 'utf8'));
    expect(existsSync(`${ROOT}.devcontainer/${build.dockerfile}`)).toBe(true);
  });
});
