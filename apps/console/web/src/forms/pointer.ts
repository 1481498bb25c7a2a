/** Returns the JSON Pointer (RFC 6901) of a path of keys. */
export const pointerOf = (path: readonly (string | number)[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Returns the keys of a JSON Pointer; also accepts the form `#/name`, which problem documents may have. */
export const keysOf = (pointer: string): readonly string[] =>
  pointer
    .replace(/^#/, '')
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
