import { AgentId } from '@legate/ids';
import { z } from 'zod';
import { DisplayName } from '../../domain/display-name.ts';
import { Instant } from '../../domain/instant.ts';
import { resourceListParameters } from '../resources/deleted.ts';

/**
 * A text of several lines, whose length is counted in code points. Characters that PostgreSQL cannot store,
 * or that are never shown, are refused.
 */
const text = (max: number) =>
  z
    .string()
    .regex(/^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u, { error: 'Must not contain control characters.' })
    .refine((value) => [...value].length <= max, {
      error: `Must be at most ${max} characters long.`,
      params: { code: 'too_long' },
    });

const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, { error: 'Must be a color as #rrggbb.' });

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false; // throws a RangeError for an invalid tag
  }
}

/** The appearance of the agent in a page. Its limits keep it far below 16 KB. */
const Settings = z.strictObject({
  greeting: text(500).optional(),
  theme: z.strictObject({ light: Color.optional(), dark: Color.optional() }).optional(),
  launcher: z
    .strictObject({
      position: z.enum(['bottom-right', 'bottom-left']).optional(),
      label: text(50).optional(),
    })
    .optional(),
  locale: z
    .string()
    .max(35)
    .refine(isLocale, { error: 'Must be a BCP 47 language tag, such as de-CH.' })
    .optional()
    .describe('BCP 47'),
});

const Status = z.enum(['draft', 'active', 'disabled']);

export const Agent = z
  .strictObject({
    id: AgentId,
    name: z.string(),
    description: z.string().nullable(),
    instructions: z.string().nullable().describe('Never sent to a browser that embeds the agent'),
    status: Status.describe('Only active agents can be embedded'),
    settings: Settings,
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Agent', description: 'An agent that sites can embed.' });
export type Agent = z.output<typeof Agent>;

/** An agent in a list: without instructions, which would make a page megabytes larger. */
export const AgentSummary = Agent.omit({ instructions: true })
  .extend({ instructions_length: z.number().int().min(0).describe('In characters; 0 without instructions') })
  .meta({
    id: 'AgentSummary',
    description: 'An agent in a list. `GET /agents/{agent_id}` also returns its instructions.',
  });
export type AgentSummary = z.output<typeof AgentSummary>;

const fields = {
  name: DisplayName,
  description: text(500).nullable(),
  instructions: text(20_000).nullable(),
  status: Status,
  settings: Settings,
};

export const CreateAgent = z.strictObject({
  name: fields.name,
  description: fields.description.default(null),
  instructions: fields.instructions.default(null),
  status: fields.status.default('draft'),
  settings: fields.settings.default({}),
});
export type CreateAgent = z.output<typeof CreateAgent>;

/** A merge patch; null clears description and instructions, and removes a setting. */
export const UpdateAgent = z.strictObject(fields).partial();
export type UpdateAgent = z.output<typeof UpdateAgent>;

export const ListAgents = z.strictObject({
  ...resourceListParameters,
  status: Status.optional(),
  search: DisplayName.optional().describe('Part of the name, in any case'),
});
export type ListAgents = z.output<typeof ListAgents>;

export const DeleteAgent = z.strictObject({
  /** Deletes the agent even if sites use it */
  force: z
    .enum(['true', 'false'])
    .default('false')
    .transform((force) => force === 'true'),
});
