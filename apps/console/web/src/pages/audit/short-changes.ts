import type { AuditEvent } from '../../api/types.ts';
import { t } from '../../text/en.ts';

const SHOWN = 3;
const MAX_LENGTH = 40;

/** Actions whose words do not say what was changed */
const UNSAID = /\.(updated|checked|joined|reinstated|role_synced|agent_set|connector_set)$/;

/**
 * Returns what an event changed, as short texts for a list: `role developer → admin`, `enabled: no`, `tools changed`.
 * Empty if the action says it (`deactivated`), and for something new, whose values the panel shows.
 */
export function shortChanges({ action, changes }: Pick<AuditEvent, 'action' | 'changes'>): readonly string[] {
  if (changes === null || !UNSAID.test(action)) return [];
  const texts = Object.entries(changes).map(([field, change]) => shortChange(nameOf(field), change));
  const rest = texts.length - SHOWN;
  return rest > 0 ? [...texts.slice(0, SHOWN), t.audit.moreChanges(rest)] : texts;
}

const nameOf = (field: string): string => field.replaceAll('_', ' ');

function shortChange(
  field: string,
  { from, to }: { readonly from?: unknown; readonly to?: unknown },
): string {
  const [before, after] = [shortValue(from), shortValue(to)];
  const isUnseen = after === undefined || before === after; // too long, or a secret, which is redacted on both sides
  if (isUnseen) return t.audit.changed(field);
  const isNew = before === undefined || (from ?? null) === null || typeof to === 'boolean';
  return isNew ? t.audit.changedTo(field, after) : t.audit.changedFromTo(field, before, after);
}

/** @returns undefined for a list, an object, and a text that is too long for a line */
function shortValue(value: unknown): string | undefined {
  if (value === null || value === undefined) return t.audit.nothing;
  if (typeof value === 'boolean') return value ? t.audit.yes : t.audit.no;
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.length <= MAX_LENGTH ? value : undefined;
}
