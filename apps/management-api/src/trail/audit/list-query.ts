import { pageParameters } from '@legate/pagination';
import { z } from 'zod';
import { InstantFilter, TextFilter } from '../../domain/text-filter.ts';
import { ACTOR_TYPES } from './audit-event.ts';

const MAX_ACTIONS = 20;

/** `site.created,member.*` */
const Actions = TextFilter.transform((text) => text.split(','))
  .refine((actions) => actions.length <= MAX_ACTIONS && actions.every((action) => action !== ''), {
    error: `Must be 1 to ${MAX_ACTIONS} actions, separated by commas.`,
    params: { code: 'invalid_format' },
  })
  .meta({
    type: 'string',
    description: 'One or more, separated by commas; `member.*` matches all actions on members',
  });

/** Filters of events, in lists and exports. */
export const eventFilters = {
  action: Actions.optional(),
  actor_id: TextFilter.optional(),
  actor_type: z.enum(ACTOR_TYPES).optional(),
  actor_email: TextFilter.optional().describe('Case-insensitive. Only for owners and admins'),
  target_id: TextFilter.optional(),
  client_id: TextFilter.optional(),
  token_id: TextFilter.optional().describe('`context.token_id`, or a digest of a token in `details`'),
  request_id: TextFilter.optional(),
  trace_id: TextFilter.optional(),
  outcome: z
    .enum(['allowed', 'refused', 'failed'])
    .optional()
    .describe('Outcome of calls and delegations. A call whose tool reports an error is `allowed`'),
  rule: TextFilter.optional().describe('The rule that decided a call: `details.rule`'),
  search: TextFilter.optional().describe(
    'Part of a name, id or e-mail address of the actor or a target; limited to 31 days. Only for owners and admins',
  ),
  from: InstantFilter.optional().describe(
    'The earliest `occurred_at`. Default: 30 days ago; the header `Legate-From` returns the time used',
  ),
  to: InstantFilter.optional().describe('The time before which `occurred_at` must be'),
};

export const ListAuditEvents = z.strictObject({
  ...pageParameters,
  ...eventFilters,
  sort: z
    .enum(['occurred_at', '-occurred_at', 'recorded_at'])
    .optional()
    .describe(
      'Default: `-occurred_at`. Use `recorded_at` to follow the trail without missing an event: it lists events that were recorded at least 15 seconds ago, and every page has a `Link` to the next one',
    ),
  cursor: z
    .string()
    .max(2000)
    .optional()
    .describe('Taken from the `Link` of a page. Cannot be combined with `offset`'),
  after: TextFilter.optional().describe(
    'Id of an event: lists the events recorded after it, in that order, for a live view. Cannot be combined with `cursor`, `offset` or another `sort`',
  ),
});
export type ListAuditEvents = z.output<typeof ListAuditEvents>;

export type EventFilters = Pick<ListAuditEvents, keyof typeof eventFilters>;
