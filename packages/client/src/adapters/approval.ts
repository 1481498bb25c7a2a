import { internalsOf } from '../internals.ts';
import type { LegateTool } from '../tool.ts';
import { isObject, type Json, stringOf } from '../wire.ts';

/**
 * What to do with a tool whose approval nobody has configured, because no agent is named. Default: ask, unless the tool
 * declares itself read-only, which only its tool server claims.
 */
export type WhenUndecided = 'ask' | 'run';

/** Returns true if the user must be asked before a call. A value that this version does not know counts as `required`. */
export function needsApproval({ approval, annotations }: LegateTool, whenUndecided?: WhenUndecided): boolean {
  if (approval !== undefined) return approval !== 'not-required';
  if (whenUndecided !== undefined) return whenUndecided === 'ask';
  return annotations.readOnlyHint !== true;
}

/** The text for the model about a call that the user has not approved. */
export const REFUSED = 'The user refused this call.';

/** Describes a call to the person who decides about it. */
export function describeCall(legate: object, tool: LegateTool, args: Json): string {
  const as = userName(internalsOf(legate).bearer.idToken());
  const heading = `${tool.title ?? tool.name} (${tool.slug})${as === undefined ? '' : `, acts as ${as}`}`;
  return `${escaped(heading).replaceAll('\n', ' ')}\n${escaped(JSON.stringify(args, undefined, 2))}`;
}

/**
 * Characters that are invisible, or change the direction of the text around them; a model may write them into
 * arguments. U+200C and U+200D stay, because Persian and emoji need them, and so does U+FE0F.
 */
const UNSEEN =
  /(?!\n|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Replaces such characters with JSON escapes. */
const escaped = (text: string): string =>
  text.replace(UNSEEN, (char) =>
    [...Array(char.length).keys()]
      .map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** Reads the user's name from an ID token, without verifying it. */
function userName(idToken: string | undefined): string | undefined {
  const [, payload = ''] = idToken?.split('.') ?? [];
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (char) =>
      char.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(claims) ? (stringOf(claims.email) ?? stringOf(claims.sub)) : undefined;
  } catch {
    return undefined; // not a JWT; only the hub checks the token
  }
}
