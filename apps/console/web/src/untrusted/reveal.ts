/** Maximum number of characters of an untrusted text that is shown at first, and at all. */
export const SHOWN = 300;
export const SHOWN_AT_MOST = 10_000;
/** Maximum number of characters shown of a name that a user chose. */
export const NAME_SHOWN = 60;

/** A piece of a text: unchanged text, or an invisible character as `U+202E` */
export type Piece = { readonly text: string } | { readonly hidden: string };

/**
 * Control, bidirectional, zero-width, tag and other invisible characters, with which a text can look
 * different from what it contains. Tabs and line ends are kept, and so is the joiner between two emoji.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each character is meant separately
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0e\u{e0100}-\u{e01ef}]/gu;
const LAYOUT = new Set(['\n', '\t', '\r']);
const JOINER = '\u200d';
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each character is meant separately
const PICTURE_BEFORE = /[\p{Extended_Pictographic}\ufe0f\u{1f3fb}-\u{1f3ff}]$/u;
const PICTURE_AFTER = /^\p{Extended_Pictographic}/u;

/** Splits a text into pieces of unchanged text and hidden characters. */
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

/** Returns a text with its hidden characters as `U+…`, for places where only a string fits. */
export const revealed = (text: string): string =>
  reveal(text)
    .map((piece) => ('text' in piece ? piece.text : `⟨${piece.hidden}⟩`))
    .join('');

export const countHidden = (pieces: readonly Piece[]): number =>
  pieces.filter((piece) => 'hidden' in piece).length;

/** Cuts a text to a number of characters, never in the middle of one. */
export function cut(text: string, length: number): { readonly shown: string; readonly isCut: boolean } {
  if (text.length <= length) return { shown: text, isCut: false };
  const last = text.charCodeAt(length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return { shown: text.slice(0, splitsPair ? length - 1 : length), isCut: true };
}

/** Returns a name as plain text, for places where only a string fits: cut, and with hidden characters as `U+…`. */
export const nameText = (name: string): string => revealed(cut(name, NAME_SHOWN).shown);

/** Returns true for the name of a tool that may be part of a sentence of the console. */
export const isPlainToolName = (name: string): boolean => /^[A-Za-z0-9_.-]{1,64}$/.test(name);
