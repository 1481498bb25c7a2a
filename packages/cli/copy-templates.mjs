// Run by the build: copies what `legate init` writes from the examples, which are tested, to `dist/templates`.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const EXAMPLES = ['tool-server-express', 'tool-server-fastify', 'tool-server-hono', 'agent-langgraph'];
const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const target = at('dist/templates');
rmSync(target, { recursive: true, force: true });
for (const name of EXAMPLES) {
  const example = at(`../../examples/${name}`);
  mkdirSync(`${target}/${name}`, { recursive: true });
  cpSync(`${example}/src`, `${target}/${name}/src`, { recursive: true });
  cpSync(`${example}/tsconfig.json`, `${target}/${name}/tsconfig.json`);
  // Not as `package.json`: the templates are no packages.
  const { engines, dependencies, devDependencies } = JSON.parse(
    readFileSync(`${example}/package.json`, 'utf8'),
  );
  writeFileSync(
    `${target}/${name}/manifest.json`,
    JSON.stringify({ engines, dependencies, devDependencies }),
  );
}
