import type { Html, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';

/** Reasons for which a block may be left out. A new reason needs a review: such blocks are never tested. */
export const REASONS = [
  'cluster',
  'docker',
  'long-running',
  'another program',
  'interactive',
  'production',
] as const;
export type Reason = (typeof REASONS)[number];

export interface Mark {
  readonly skip?: Reason;
  /** Expected output of the block before */
  readonly output?: boolean;
  /** A program of the reader, with its file name */
  readonly file?: string;
  /** Runs until the end of the document, as a server at this port of the document */
  readonly background?: number;
  /** The requests of the block are expected to be refused */
  readonly refused?: boolean;
  /** Input that the reader types while it runs */
  readonly stdin?: string;
  /** A condition that becomes true a moment later; the block runs then */
  readonly until?: string;
}

export interface Block {
  readonly line: number;
  /** `sh`, `bash`, `console`: commands; `setup`: commands that readers do not see; others: an output or a file */
  readonly kind: string;
  readonly text: string;
  readonly mark: Mark;
}

export interface Page {
  readonly path: string;
  readonly blocks: readonly Block[];
  /** A document whose commands must run before those of this one */
  readonly after?: string;
}

export class UnknownMark extends Error {
  override readonly name = 'UnknownMark';
}

const COMMANDS = ['sh', 'bash', 'console', 'shell', 'zsh'];

/** Returns the commands of a document with their outputs and programs, in order. @throws {UnknownMark} */
export function readPage(path: string, markdown: string): Page {
  const blocks: Block[] = [];
  let after: string | undefined;
  const visit = (parent: Root | RootContent): void => {
    if (!('children' in parent)) return;
    let mark: Mark = {};
    for (const node of parent.children) {
      const comment = node.type === 'html' ? readComment(node, path) : undefined;
      if (comment?.setup !== undefined)
        blocks.push({ line: lineOf(node), kind: 'setup', text: comment.setup, mark: {} });
      if (comment?.after !== undefined) after = comment.after;
      if (node.type === 'code') {
        const kind = node.lang ?? '';
        if (COMMANDS.includes(kind) || mark.output || mark.file !== undefined)
          blocks.push({ line: lineOf(node), kind, text: node.value, mark });
      }
      mark = comment?.mark ?? {};
      visit(node);
    }
  };
  visit(fromMarkdown(markdown));
  return { path, blocks, ...(after !== undefined && { after }) };
}

const lineOf = (node: RootContent): number => node.position?.start.line ?? 0;

function readComment(
  { value, position }: Html,
  path: string,
): { mark: Mark; setup?: string; after?: string } | undefined {
  const [, first = '', rest = ''] =
    /^<!--\s*doctest:\s*([^\n]*?)\s*(?:\n([\s\S]*?))?(?:-->)$/.exec(value) ?? [];
  if (first === '') return undefined;
  const refuse = (what: string): never => {
    throw new UnknownMark(
      `${path}:${position?.start.line}: ${what}; the marks are in packages/e2e/README.md`,
    );
  };
  if (first === 'setup') return { mark: {}, setup: rest };
  const mark: Record<string, unknown> = {};
  let after: string | undefined;
  for (const [, name = '', double, single] of first.matchAll(/([^\s=]+)(?:=(?:"([^"]*)"|'([^']*)'))?/g)) {
    const given = double ?? single;
    switch (name) {
      case 'skip':
        break;
      case 'reason':
        if (!REASONS.some((reason) => reason === given))
          refuse(`reason=${JSON.stringify(given)} is not one of: ${REASONS.join(', ')}`);
        mark.skip = given;
        break;
      case 'background':
        if (!/^\d+$/.test(given ?? '')) refuse('background="8080" names the port of the document');
        mark.background = Number(given);
        break;
      case 'output':
      case 'refused':
        mark[name] = true;
        break;
      case 'file':
      case 'stdin':
      case 'until':
        mark[name] = given ?? refuse(`${name}="…" says what`);
        break;
      case 'after':
        after = given;
        break;
      default:
        refuse(`doctest: ${name} is no mark`);
    }
  }
  if (/^skip\b/.test(first) && mark.skip === undefined) refuse('skip reason="…" says why');
  return { mark, ...(after !== undefined && { after }) };
}

interface Code {
  readonly line: number;
  readonly lang: string;
  readonly text: string;
}

/** Returns the Mermaid diagrams of a document. */
export const readDiagrams = (markdown: string): Code[] => readCode(markdown, ['mermaid']);

/** Returns the blocks of a document in these languages. */
export function readCode(markdown: string, languages: readonly string[]): Code[] {
  if (!languages.some((lang) => markdown.includes(`\`\`\`${lang}`))) return []; // parsing takes long
  const found: Code[] = [];
  const visit = (node: Root | RootContent): void => {
    if (node.type === 'code' && languages.includes(node.lang ?? ''))
      found.push({ line: lineOf(node), lang: node.lang ?? '', text: node.value });
    if ('children' in node) node.children.forEach(visit);
  };
  visit(fromMarkdown(markdown));
  return found;
}
