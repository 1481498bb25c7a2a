/** Control characters: a browser drops some of them, and so reads another address than we do. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNUSABLE = /[\u0000-\u001f\u007f\\]/;

/** @returns a path of the console, for after the sign-in; `/` for everything else */
export function returnPath(asked: unknown, publicUrl: string): string {
  if (typeof asked !== 'string' || !/^\/(?!\/)/.test(asked) || UNUSABLE.test(asked)) return '/';
  if (!URL.canParse(asked, publicUrl)) return '/';
  const { origin, pathname, search, hash } = new URL(asked, publicUrl);
  const isPage = origin === publicUrl && !pathname.startsWith('//') && !/^\/bff(\/|$)/i.test(pathname);
  return isPage ? `${pathname}${search}${hash}` : '/';
}
