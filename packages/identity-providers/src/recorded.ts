import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { KIND_NAMES, type KindName } from './kinds.ts';

/** How much of a recorded answer a document has */
const RECORDED = ['from the document', 'from the description', 'general knowledge'] as const;

const Recording = z.strictObject({
  /** The provider's document */
  source: z.url(),
  read: z.iso.date(),
  recorded: z.enum(RECORDED),
  /** The form of the request; placeholders in braces stand for tokens */
  request: z.record(z.string(), z.string()),
  response: z.strictObject({ status: z.number().int(), body: z.record(z.string(), z.unknown()) }),
});
export type Recording = z.output<typeof Recording>;

const FOLDER = new URL('../fixtures/', import.meta.url);

/** Reads an answer of a token endpoint as a provider documents it. @throws {Error} if there is none of this name */
export const readRecording = (kind: KindName, name: string): Recording =>
  Recording.parse(JSON.parse(readFileSync(new URL(`${kind}/${name}.json`, FOLDER), 'utf8')));

/** Returns the names of all recorded answers. */
export const listRecordings = (): readonly (readonly [kind: KindName, name: string])[] =>
  KIND_NAMES.filter((kind) => readdirSync(FOLDER).includes(kind)).flatMap((kind) =>
    readdirSync(new URL(`${kind}/`, FOLDER)).map((file) => [kind, file.replace(/\.json$/, '')] as const),
  );
