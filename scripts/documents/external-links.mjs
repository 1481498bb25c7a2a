// Asks each link of the documents to another site whether it is still there. It needs the Internet, so it is no part of any test:
// a workflow runs it once a week. Prints the dead ones as a Markdown list, and exits with 1 if there are any.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const TIMEOUT_MS = 15_000;
const AT_A_TIME = 8;
/** Names that belong to nobody, or to this machine */
const NOT_OUTSIDE = /(^|\.)(localhost|example|example\.(com|org|net)|invalid|test)$|^(127\.|\[::1\])/;

const files = execFileSync('git', ['ls-files', '*.md', '*.json'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.md') || file === 'docs/reference/identity-providers.json');

/** Each address, with the files that name it. */
const found = new Map();
for (const file of files) {
  for (const [, url] of readFileSync(file, 'utf8').matchAll(/(?:\]\(|<|")(https?:\/\/[^\s)>"#]+)/g)) {
    if (!URL.canParse(url) || NOT_OUTSIDE.test(new URL(url).hostname)) continue;
    found.set(url, [...(found.get(url) ?? []), file]);
  }
}

/** @returns undefined, or why the address is dead; one that only refuses robots is not */
async function faultOf(url) {
  try {
    const { status } = await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { 'User-Agent': 'legate-links', Accept: 'text/html,*/*' },
    });
    return status === 404 || status === 410 || status >= 500 ? `answers ${status}` : undefined;
  } catch (err) {
    return err.cause?.code ?? err.message;
  }
}

const waiting = [...found];
const dead = [];
await Promise.all(
  Array.from({ length: AT_A_TIME }, async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [url, places] = next;
      const fault = await faultOf(url);
      if (fault) dead.push(`- ${url} ${fault} (${[...new Set(places)].join(', ')})`);
    }
  }),
);
process.stdout.write(dead.length > 0 ? `${dead.sort().join('\n')}\n` : `all of ${found.size} links answer\n`);
process.exitCode = dead.length > 0 ? 1 : 0;
