/**
 * Control characters: browsers drop some of them, and would then navigate to another address than the one
 * checked here.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const UNUSABLE = /[\u0000-\u001f\u007f\\]/;

/** A cookie keeps the path until the user has signed in, and browsers drop cookies of more than 4 KiB. */
const MAX_CHARACTERS = 2000;

/** @returns the path of the console to open after the sign-in; `/` if `asked` is not a valid one */
export function returnPath(asked: unknown, publicUrl: string): string {
  if (typeof asked !== 'string' || !/^\/(?!\/)/.test(asked) || UNUSABLE.test(asked)) return '/';
  if (!URL.canParse(asked, publicUrl)) return '/';
  const { origin, pathname, search, hash } = new URL(asked, publicUrl);
  const isPage = origin === publicUrl && !pathname.startsWith('//') && !/^\/bff(\/|$)/i.test(pathname);
  const path = `${pathname}${search}${hash}`;
  return isPage && path.length <= MAX_CHARACTERS ? path : '/';
}
