/** Settings with shorter names are not compared: they resemble too many other variables (PORT and SORT, HOST and HOME). */
const SHORTEST = 8;

/**
 * Finds variables that are probably misspelt settings: one letter added, missing, different or two swapped, with the
 * same first word, while the setting itself is unset. An environment contains many foreign names (Kubernetes alone adds
 * seven per neighbouring service), so a looser rule would report false faults.
 */
export function misspeltSettings(
  env: NodeJS.ProcessEnv,
  settings: readonly string[],
): { name: string; meant: string }[] {
  const spellings = (setting: string) => [setting, `${setting}_FILE`];
  const known = new Set(settings.flatMap(spellings));
  const unset = settings.filter(
    (setting) => setting.length >= SHORTEST && !spellings(setting).some((one) => env[one]),
  );
  return Object.keys(env)
    .filter((name) => env[name] && !known.has(name))
    .flatMap((name) => {
      const meant = unset.find((setting) => spellings(setting).some((one) => isLikely(name, one)));
      return meant ? [{ name, meant }] : [];
    });
}

const isLikely = (name: string, meant: string): boolean =>
  name.split('_', 1)[0] === meant.split('_', 1)[0] && isOneEditAway(name, meant);

function isOneEditAway(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restOfA, restOfB] = [a.slice(start), b.slice(start)];
  return (
    restOfA.slice(1) === restOfB.slice(1) || // another letter
    restOfA.slice(1) === restOfB || // one more
    restOfA === restOfB.slice(1) || // one less
    (restOfA[0] === restOfB[1] && restOfA[1] === restOfB[0] && restOfA.slice(2) === restOfB.slice(2))
  );
}
