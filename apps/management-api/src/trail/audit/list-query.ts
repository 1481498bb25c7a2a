import { pageParameters } from '@legate/pagination';
import { z } from 'zod';
import { InstantFilter, TextFilter } from '../../domain/text-filter.ts';
import { ACTOR_TYPES } from './audit-event.ts';

const MAX_ACTIONS = 20;

/** `site.created,member.*` */
const Actions = TextFilter.transform((text) => text.split(','))
  .refine((actions) => actions.length <= MAX_ACTIONS && actions.every((action) => action !== ''), {
    error: `One to ${MAX_ACTIONS} actions, separated by commas.`,
    params: { code: 'invalid_format' },
  })
  .meta({
    type: 'string',
    description: 'Several are separated by commas; `member.*` stands for all of members',
  });

/** What events are asked for, in lists and exports. */
export const eventFilters = {
  action: Actions.optional(),
  actor_id: TextFilter.optional(),
  actor_type: z.enum(ACTOR_TYPES).optional(),
  actor_email: TextFilter.optional().describe('In any case. For owners and administrators'),
  target_id: TextFilter.optional(),
  client_id: TextFilter.optional(),
  token_id: TextFilter.optional().describe('`context.token_id`, or a digest of a token in `details`'),
  request_id: TextFilter.optional(),
  trace_id: TextFilter.optional(),
  outcome: z
    .enum(['allowed', 'refused', 'failed'])
    .optional()
    .describe('Of calls and delegations. A tool’s own error is `allowed`'),
  rule: TextFilter.optional().describe('What decided a call: `details.rule`'),
  search: TextFilter.optional().describe(
    'Part of a name, an id or an e-mail address of actor or targets; within 31 days. For owners and administrators',
  ),
  from: InstantFilter.optional().describe('Default 30 days ago; the header `Legate-From` says it'),
  to: InstantFilter.optional(),
};

export const ListAuditEvents = z.strictObject({
  ...pageParameters,
  ...eventFilters,
  sort: z
    .enum(['occurred_at', '-occurred_at', 'recorded_at'])
    .optional()
    .describe(
      'Default `-occurred_at`. `recorded_at` is to follow the trail without missing an event: it has what was recorded at least 15 seconds ago, and every page has the `Link` to the next one',
    ),
  cursor: z.string().max(2000).optional().describe('From the `Link` of a page. Not together with `offset`'),
  after: TextFilter.optional().describe(
    'Id of an event: what was recorded after it, in that order. For a live view; not together with `cursor`, `offset` or another `sort`',
  ),
});
export type ListAuditEvents = z.output<typeof ListAuditEvents>;

export type EventFilters = Pick<ListAuditEvents, keyof typeof eventFilters>;
