// Counts the lines of a source file that hold code: neither blank nor only a comment.
import { basename, extname } from 'node:path';
import { parse } from '@babel/parser';

const SCRIPT = /^\.[cm]?[jt]sx?$/;
const BETWEEN_STARS = /\/\*[\s\S]*?\*\//g;
const MARKUP_COMMENT = /<!--[\s\S]*?-->/g;
const AFTER_DASHES = /^[ \t]*--.*$/gm;
const AFTER_HASH = /^[ \t]*#(?!!).*$/gm;

/** What is a comment, by extension. A comment at the end of a line need not be found: the line counts in any case. */
const COMMENTS = {
  '.css': [BETWEEN_STARS],
  '.sql': [BETWEEN_STARS, AFTER_DASHES],
  '.html': [MARKUP_COMMENT],
  '.eta': [MARKUP_COMMENT],
  '.json': [],
  '.py': [AFTER_HASH],
  '.sh': [AFTER_HASH],
  '.conf': [AFTER_HASH],
  '.env': [AFTER_HASH],
  '.yaml': [AFTER_HASH],
  '.yml': [AFTER_HASH],
};

/** @returns undefined for a file that is not code */
export function countLines(file, text) {
  const extension = extname(file);
  if (SCRIPT.test(extension)) return linesOf(withoutScriptComments(extension, text));
  const isProgram = basename(file) === 'Dockerfile' || (extension === '' && text.startsWith('#!'));
  const comments = isProgram ? [AFTER_HASH] : COMMENTS[extension];
  return comments && linesOf(comments.reduce((rest, comment) => rest.replace(comment, blank), text));
}

/** Found by a parser: only that tells a comment from a string or a regular expression with `//` in it. */
function withoutScriptComments(extension, text) {
  const plugins = extension.includes('t') ? ['typescript'] : [];
  if (extension.endsWith('x')) plugins.push('jsx');
  const { comments } = parse(text, { sourceType: 'unambiguous', plugins, errorRecovery: true });
  let rest = '';
  let end = 0;
  for (const comment of comments) {
    rest += text.slice(end, comment.start) + blank(text.slice(comment.start, comment.end));
    end = comment.end;
  }
  return rest + text.slice(end);
}

const blank = (comment) => comment.replace(/[^\n]/g, ' ');
const linesOf = (text) => text.split('\n').filter((line) => line.trim() !== '').length;
