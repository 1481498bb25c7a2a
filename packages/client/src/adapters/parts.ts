import type { ContentBlock } from '../outcome.ts';
import { isObject, type Json, stringOf } from '../wire.ts';
import type { ToolAnswer } from './answer.ts';

/** Bytes of a result, in base64 */
export interface Media {
  readonly kind: 'image' | 'audio' | 'file';
  readonly data: string;
  readonly mimeType: string;
  /** Undefined: the content has no name */
  readonly name: string | undefined;
}

export type Part = { readonly kind: 'text'; readonly text: string } | Media;

/**
 * Returns the parts of a result for a model: every block of its content, and `structuredContent`, unless a text repeats
 * it as MCP recommends. URLs stay text: if an agent fetched them, a tool server could choose what is fetched.
 * @see MCP 2026-07-28, Tools, "Tool Result"
 */
export function partsOf({ structuredContent, content }: ToolAnswer): readonly Part[] {
  const parts = content.map(toPart);
  if (structuredContent === undefined || structuredContent === null) return parts;
  const canonical = canonicalOf(structuredContent);
  const others = parts.filter((part) => part.kind !== 'text' || canonicalOfText(part.text) !== canonical);
  return [text(JSON.stringify(structuredContent)), ...others];
}

/** Returns a result as one text, which mentions the media in it. */
export const textOf = (answer: ToolAnswer): string =>
  partsOf(answer)
    .map((part) => (part.kind === 'text' ? part.text : describeMedia(part)))
    .join('\n');

export const hasMedia = (answer: ToolAnswer): boolean => partsOf(answer).some(({ kind }) => kind !== 'text');

/** Describes content that the model cannot be shown. */
export const describeMedia = ({ kind, data, mimeType, name }: Media): string =>
  `[The tool also returned ${NAMES[kind]}${name === undefined ? '' : ` "${name}"`} (${mimeType}, ${bytesOf(data)} bytes), which cannot be shown here.]`;

const NAMES = { image: 'an image', audio: 'audio', file: 'a file' } as const;

function toPart(block: ContentBlock): Part {
  const { type } = block;
  if (type === 'text' && block.text !== undefined) return text(block.text);
  if (type === 'image' || type === 'audio')
    return toMedia(type, stringOf(block.data), stringOf(block.mimeType), undefined) ?? asJson(block);
  if (type === 'resource' && isObject(block.resource)) return toResource(block.resource) ?? asJson(block);
  if (type === 'resource_link' && typeof block.uri === 'string') return text(describeLink(block, block.uri));
  return asJson(block);
}

function toResource({ uri, text: content, blob, mimeType }: Json): Part | undefined {
  const address = stringOf(uri);
  if (typeof content === 'string')
    return text(address === undefined ? content : `[Resource ${address}]\n${content}`);
  const type = stringOf(mimeType) ?? 'application/octet-stream';
  const [kind] = type.split('/');
  return toMedia(kind === 'image' || kind === 'audio' ? kind : 'file', stringOf(blob), type, nameIn(address));
}

/** @returns undefined for content without bytes */
function toMedia(
  kind: Media['kind'],
  data: string | undefined,
  mimeType: string | undefined,
  name: string | undefined,
): Media | undefined {
  if (!data || !mimeType) return undefined;
  return { kind: mimeType.startsWith(`${kind}/`) ? kind : 'file', data, mimeType, name };
}

function describeLink(link: Json, uri: string): string {
  const name = stringOf(link.title) ?? stringOf(link.name);
  const about = [
    stringOf(link.mimeType),
    typeof link.size === 'number' ? `${link.size} bytes` : undefined,
    stringOf(link.description),
  ].filter((each) => each !== undefined);
  return `[Resource ${uri}${name === undefined ? '' : `, "${name}"`}${about.length === 0 ? '' : `: ${about.join(', ')}`}]`;
}

/** Converts a block of an unknown type to JSON text, without bytes that would fill a model's context. */
const asJson = (block: ContentBlock): Part =>
  text(
    JSON.stringify(block, (name, value) =>
      (name === 'data' || name === 'blob') && typeof value === 'string' ? `${bytesOf(value)} bytes` : value,
    ),
  );

const text = (content: string): Part => ({ kind: 'text', text: content });

const bytesOf = (base64: string): number => Math.floor((base64.replace(/=+$/, '').length * 3) / 4);

/** Returns the last segment of a URI, if it has one. */
const nameIn = (uri: string | undefined): string | undefined =>
  /([^/?#:]+)\/?(?:[?#].*)?$/.exec(uri ?? '')?.[1];

function canonicalOfText(content: string): string | undefined {
  try {
    return canonicalOf(JSON.parse(content));
  } catch {
    return undefined; // not JSON, so it repeats nothing
  }
}

const canonicalOf = (value: unknown): string =>
  JSON.stringify(value, (_name, each: unknown) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
