/** How much of an untrusted text is shown at first, and at most. */
export const SHOWN = 300;
export const SHOWN_AT_MOST = 10_000;
/** How much of a name that a person chose is shown. */
export const NAME_SHOWN = 60;

/** A piece of a text: as it is, or a character that nobody would see, as `U+202E` */
export type Piece = { readonly text: string } | { readonly hidden: string };

/**
 * Control, bidirectional, zero-width, tag and other characters without a picture: they make a text read otherwise than it is
 * written. Tabs and line ends stay, and so does the joiner of emoji between two pictures.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is meant alone
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0e\u{e0100}-\u{e01ef}]/gu;
const LAYOUT = new Set(['\n', '\t', '\r']);
const JOINER = '\u200d';
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each is meant alone
const PICTURE_BEFORE = /[\p{Extended_Pictographic}\ufe0f\u{1f3fb}-\u{1f3ff}]$/u;
const PICTURE_AFTER = /^\p{Extended_Pictographic}/u;

/** Splits a text into what is shown as it is, and hidden characters. */
export function reveal(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const [character] = match;
    if (isVisible(text, match.index, character)) continue;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index) });
    pieces.push({ hidden: nameOf(character) });
    from = match.index + character.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

function isVisible(text: string, index: number, character: string): boolean {
  if (LAYOUT.has(character)) return true;
  return (
    character === JOINER &&
    PICTURE_BEFORE.test(text.slice(Math.max(0, index - 4), index)) &&
    PICTURE_AFTER.test(text.slice(index + 1, index + 5))
  );
}

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Returns a text with its hidden characters written out, for where only a string fits. */
export const revealed = (text: string): string =>
  reveal(text)
    .map((piece) => ('text' in piece ? piece.text : `⟨${piece.hidden}⟩`))
    .join('');

export const countHidden = (pieces: readonly Piece[]): number =>
  pieces.filter((piece) => 'hidden' in piece).length;

/** Cuts a text at a number of characters, not within one. */
export function cut(text: string, length: number): { readonly shown: string; readonly isCut: boolean } {
  if (text.length <= length) return { shown: text, isCut: false };
  const last = text.charCodeAt(length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return { shown: text.slice(0, splitsPair ? length - 1 : length), isCut: true };
}

/** Returns true for the name of a tool that may stand in a sentence of ours. */
export const isPlainToolName = (name: string): boolean => /^[A-Za-z0-9_.-]{1,64}$/.test(name);
