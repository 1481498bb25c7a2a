/**
 * Where a cell may begin in a spreadsheet, or in one that separates at something else than commas: at the beginning of the
 * text, at a line break, and at each separator that programs are known to take. Quotes and blanks before the first character
 * are what a program may drop.
 */
const BEGINS_FORMULA = /(^|[;|\t\v\f\r\n\u0085\u2028\u2029])(["\p{Cf}\p{Zs}]*)([=+\-@＝＋－＠])/gu;
/** Control characters that a program may drop, with what is behind them as its formula */
const BEGINS_WITH_CONTROL = /^[\t\r]/;

/**
 * Returns a text of others, such as a name or a user agent, so that no spreadsheet takes a part of it for a formula: a `'`
 * stands in front of each.
 */
export function harmlessCell(text: string): string {
  const harmless = text.replace(BEGINS_FORMULA, "$1$2'$3");
  return BEGINS_WITH_CONTROL.test(harmless) ? `'${harmless}` : harmless;
}
