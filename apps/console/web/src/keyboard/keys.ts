/** The meaning of a key press in the console. */
export type Command =
  | { readonly kind: 'palette' | 'filter' | 'next' | 'previous' | 'pause' | 'help' }
  | { readonly kind: 'go'; readonly to: string };

/** The second key after `g`, and the page that it opens; `l` is the audit log, as `a` opens Agents. */
export const GO: Readonly<Record<string, string>> = {
  h: '/',
  c: '/connectors',
  a: '/agents',
  s: '/sites',
  m: '/members',
  l: '/audit',
  i: '/inspector',
};

const SINGLE: Readonly<Record<string, Command>> = {
  '/': { kind: 'filter' },
  j: { kind: 'next' },
  k: { kind: 'previous' },
  p: { kind: 'pause' },
  '?': { kind: 'help' },
};

/** Maximum time until the second key. */
export const SEQUENCE_MS = 1500;

export interface KeyPress {
  readonly key: string;
  readonly ctrlOrMeta: boolean;
  readonly alt: boolean;
  /** True if the focus is in a field, where keys enter text */
  readonly typing: boolean;
  /** Milliseconds of any clock */
  readonly at: number;
}

/**
 * Returns a function that finds the command of each key press. Single keys work outside fields only, and not
 * at all if the reader has turned them off (WCAG 2.1.4).
 */
export function createKeyReader(singleKeys: () => boolean) {
  let begunAt: number | undefined;
  return (press: KeyPress): Command | undefined => {
    if (press.ctrlOrMeta) {
      begunAt = undefined;
      return press.key.toLowerCase() === 'k' && !press.alt ? { kind: 'palette' } : undefined;
    }
    if (press.typing || press.alt || !singleKeys()) {
      begunAt = undefined;
      return undefined;
    }
    const follows = begunAt !== undefined && press.at - begunAt <= SEQUENCE_MS;
    begunAt = undefined;
    const to = follows ? GO[press.key] : undefined;
    if (to !== undefined) return { kind: 'go', to };
    if (press.key === 'g') {
      begunAt = press.at;
      return undefined;
    }
    return SINGLE[press.key];
  };
}
