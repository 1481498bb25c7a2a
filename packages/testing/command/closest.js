const AT_MOST = 3;

/**
 * Finds the candidates that a word is most probably a misspelling of, the closest first.
 * @param {string} word
 * @param {string[]} candidates
 */
export function closest(word, candidates) {
  const limit = Math.ceil(word.length / 3);
  return candidates
    .map((candidate) => ({ candidate, edits: countEdits(word, candidate) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, AT_MOST)
    .map(({ candidate }) => candidate);
}

/** Counts the letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
function countEdits(from, to) {
  let [beforeLast, last] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        last[column] + 1,
        current[column - 1] + 1,
        last[column - 1] + (isSame ? 0 : 1),
        isSwapped ? beforeLast[column - 2] + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length];
}
