import { shown } from '@legate/oauth';

/** A JWT or a part of it, and a long run in which letters and digits mix: perhaps a token or a secret */
const LIKE_A_SECRET = /eyJ[\w.-]{8,}|(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}/g;

/** The id of a tenant or an application, as some providers write them */
const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const MAX_READ = 1000;

/** The most members of a list that are shown: a provider may send thousands */
export const MAX_LISTED = 30;

/** Makes the words of a provider safe to show. */
export interface PeerText {
  /** Remembers a value that must never be shown. */
  hide(...secrets: readonly (string | undefined)[]): void;
  /** Returns a text in printable ASCII, without the hidden values and without what looks like a token. */
  show(text: string): string;
  /**
   * Returns the value of a claim as `show` does, but with plain GUIDs: there they are identifiers. In other words of a
   * provider they may be tokens.
   */
  showClaim(text: string): string;
  /** Returns the first {@link MAX_LISTED} of several texts, as `show` does. */
  list(texts: readonly string[]): string[];
  /** Returns the first {@link MAX_LISTED} of several values of claims, as `showClaim` does. */
  listClaims(texts: readonly string[]): string[];
}

/**
 * Hides everything secret that was sent to a provider, which may send it back in an error or in a claim.
 */
export function createPeerText(): PeerText {
  const hidden = new Set<string>();
  const showUnless = (isIdentifier: (word: string) => boolean) => (text: string) => {
    // Longer values first: one may contain another.
    const longest = [...hidden].sort((a, b) => b.length - a.length);
    const without = longest.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
    // The pattern takes time in proportion to the square of the length.
    return shown(
      without.slice(0, MAX_READ).replace(LIKE_A_SECRET, (word) => (isIdentifier(word) ? word : '[hidden]')),
    );
  };
  const show = showUnless(() => false);
  const showClaim = showUnless((word) => GUID.test(word));
  return {
    hide(...secrets) {
      for (const secret of secrets) {
        if (!secret) continue;
        hidden.add(secret);
        hidden.add(encodeURIComponent(secret));
      }
    },
    show,
    showClaim,
    list: (texts) => listed(texts, show),
    listClaims: (texts) => listed(texts, showClaim),
  };
}

function listed(texts: readonly string[], show: (text: string) => string): string[] {
  if (texts.length === 0) return ['none'];
  const more = texts.length > MAX_LISTED ? [`and ${texts.length - MAX_LISTED} more`] : [];
  return [...texts.slice(0, MAX_LISTED).map(show), ...more];
}
