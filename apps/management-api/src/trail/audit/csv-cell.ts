/**
 * Matches the places where a program may begin a cell, even if it uses another separator than commas: the
 * beginning of the text, line breaks, and all separators that programs are known to use. Programs may drop
 * quotes and blanks before the first character.
 */
const BEGINS_FORMULA = /(^|[;|\t\v\f\r\n\u0085\u2028\u2029])(["\p{Cf}\p{Zs}]*)([=+\-@＝＋－＠])/gu;
/** Control characters that a program may drop, so that the text after them becomes a formula */
const BEGINS_WITH_CONTROL = /^[\t\r]/;

/**
 * Returns untrusted text, such as a name or a user agent, so that no spreadsheet treats a part of it as a
 * formula: a `'` is inserted before each.
 */
export function harmlessCell(text: string): string {
  const harmless = text.replace(BEGINS_FORMULA, "$1$2'$3");
  return BEGINS_WITH_CONTROL.test(harmless) ? `'${harmless}` : harmless;
}
