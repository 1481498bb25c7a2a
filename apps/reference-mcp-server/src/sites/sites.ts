import type { Logger } from '@legate/service';
import type { CallService, ServiceCall, ServiceCallOutcome } from '@legate/tool-server/services';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { ToolFailure } from '../tools/tool-failure.ts';

/** A site as the management API returns it; unknown members are dropped. */
export const Site = z.object({
  id: z.string(),
  name: z.string(),
  allowed_origins: z.array(z.string()),
  created_at: z.string(),
});
export const SitePage = z.object({
  data: z.array(Site),
  pagination: z.object({
    total: z.number(),
    limit: z.number(),
    offset: z.number(),
    has_more: z.boolean(),
  }),
});
const ProblemBody = z.object({ code: z.string() });

export type Sites = ReturnType<typeof createSites>;

/**
 * Reads the sites of the caller's organization. Both methods throw `ToolFailure` with a message for the caller.
 * @param deps.call calls the management API for the user of the given access token
 */
export function createSites(deps: { call: CallService; log: Pick<Logger, 'warn'> }) {
  async function read<Schema extends z.ZodType>(
    schema: Schema,
    call: ServiceCall,
  ): Promise<z.output<Schema>> {
    const outcome = await deps.call(call);
    if (outcome.kind === 'answered' && outcome.status === 200) {
      const parsed = schema.safeParse(outcome.body);
      if (parsed.success) return parsed.data;
    }
    const { message, detail } = judge(outcome);
    if (detail !== undefined)
      deps.log.warn({ operation: call.operation, ...detail }, 'call of the management API failed');
    throw new ToolFailure(message);
  }

  return {
    list: (authInfo: AuthInfo | undefined, { limit, offset }: { limit: number; offset: number }) =>
      read(SitePage, {
        authInfo,
        operation: 'sites:list',
        details: { limit, offset },
        path: `/api/v1/sites?limit=${limit}&offset=${offset}`,
      }),
    get: (authInfo: AuthInfo | undefined, id: string) =>
      read(Site, {
        authInfo,
        operation: 'sites:get',
        details: { site_id: id },
        path: `/api/v1/sites/${encodeURIComponent(id)}`,
      }),
  };
}

const REFUSED: Readonly<Record<string, string>> = {
  consent_denied: 'You have denied this tool server permission to act for you there.',
  membership_revoked: 'You are no longer a member of this organization.',
  organization_deleted: 'The organization is deleted.',
  organization_suspended: 'The organization is suspended.',
  insufficient_permission: 'Your role in the organization does not allow this.',
  rate_limit_exceeded: 'Too many requests for this organization. Try again in a minute.',
  not_found: 'Your organization has no such site.',
};
const NOT_ALLOWED = 'You are not allowed to do this here.';
const AWAY = 'The management API is not available at the moment. Try again.';
const OUR_FAULT = 'This tool is not set up correctly. The failure was logged.';

/**
 * Returns a message for the caller, and details for the log. Neither contains text of the management API, except error
 * codes.
 */
function judge(outcome: ServiceCallOutcome): { message: string; detail?: Record<string, unknown> } {
  switch (outcome.kind) {
    case 'denied':
    case 'insufficient_scope':
      return { message: NOT_ALLOWED };
    case 'access_token_refused':
      return { message: 'The access token is no longer accepted for this. Call again with a new one.' };
    case 'unavailable':
      return { message: AWAY, detail: { reason: outcome.reason } };
    case 'misconfigured':
      return { message: OUR_FAULT, detail: { reason: outcome.reason } };
    case 'answered': {
      const { status } = outcome;
      const code = ProblemBody.safeParse(outcome.body).data?.code;
      const message = code === undefined ? undefined : REFUSED[code];
      if (message !== undefined) return { message };
      return { message: status >= 500 ? AWAY : OUR_FAULT, detail: { status, code } };
    }
  }
}
