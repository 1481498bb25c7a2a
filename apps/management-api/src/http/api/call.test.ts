import { expect, it } from '@jest/globals';
import type { AgentId, SiteId } from '@legate/ids';
import { z } from 'zod';
import { ok } from './answer.ts';
import { operation } from './operation.ts';

it('gives a handler the ids of its path, each with its type', () => {
  const link = (site: SiteId, agent: AgentId) => `${site} ${agent}`;
  const declared = operation('getLink', 'get', '/sites/{site_id}/agents/{agent_id}', {
    tag: 'Sites',
    summary: 'Get a link',
    access: 'sites:read',
    responses: { 200: { description: 'The link', schema: z.string() } },
    handle({ params }) {
      // @ts-expect-error: the ids are swapped
      link(params.agent_id, params.site_id);
      // @ts-expect-error: the path has no such parameter
      link(params.site_id, params.connector_id);
      return ok(link(params.site_id, params.agent_id));
    },
  });
  expect(declared.path).toBe('/sites/{site_id}/agents/{agent_id}');
});
