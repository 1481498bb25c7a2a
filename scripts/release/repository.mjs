// npm run repository -- <url>: writes the public address of the repository to each manifest that npm shows (docs/releasing.md).
import { join } from 'node:path';
import { addressed, addressMembers, edit, folderOf } from './places.mjs';

const [given = ''] = process.argv.slice(2);
const url = given.replace(/(\.git)?\/?$/, '');
if (!/^https:\/\/[\w.-]+(\/[\w.-]+)+$/.test(url)) {
  process.stderr.write('npm run repository -- https://github.com/<owner>/<name>\n');
  process.exit(2);
}
for (const [path] of addressed(process.cwd()))
  edit(join(process.cwd(), path), (text) => {
    const { homepage: _h, bugs: _b, repository: _r, ...rest } = JSON.parse(text);
    const entries = Object.entries(rest);
    const after = entries.findIndex(([name]) => name === 'license') + 1;
    entries.splice(after, 0, ...Object.entries(addressMembers(url, folderOf(path))));
    return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
  });
process.stdout.write(`the address is ${url}\n`);
