import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} root of the repository
 * @returns {string[]} tracked files, and new ones that are not ignored, by their paths from the root; without those that
 * are deleted or links
 */
export function listFiles(root) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return [...new Set(listed.split('\0'))].filter(
    (file) => file !== '' && lstatSync(join(root, file), { throwIfNoEntry: false })?.isFile(),
  );
}
