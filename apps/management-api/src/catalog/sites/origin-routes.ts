import { PageQuery, pageOf } from '@legate/pagination';
import { parseBody } from '@legate/service';
import { noContent, ok, placed } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { json, type RequestBody } from '../../http/api/request-body.ts';
import type { SiteOrigins } from './origin-service.ts';
import {
  type AddOrigin,
  addOriginSchema,
  CheckOrigin,
  OriginCheck,
  RemoveOrigin,
  SiteOrigin,
} from './site-origin.ts';

/** Returns the operations for single origins of a site, which are added and removed independently of each other. */
export function siteOriginOperations(deps: { origins: SiteOrigins; clock: () => Date }): Operation[] {
  const { origins, clock } = deps;
  const newOrigin: RequestBody<AddOrigin> = {
    ...json(addOriginSchema(clock())),
    // Creates the schema again, because the limit of the time depends on the current time.
    parse: (body) => parseBody(addOriginSchema(clock()), body),
  };
  return [
    operation('listSiteOrigins', 'get', '/sites/{site_id}/origins', {
      tag: 'Sites',
      summary: 'List the origins of a site',
      access: 'sites:read',
      query: PageQuery,
      responses: { 200: { description: 'A page of origins', schema: pageOf(SiteOrigin) } },
      handle: async ({ organizationId, params, query }) =>
        ok(await origins.list(organizationId, params.site_id, query)),
    }),
    operation('addSiteOrigin', 'post', '/sites/{site_id}/origins', {
      tag: 'Sites',
      summary: 'Add an origin to a site',
      description:
        'An optional time limit of at most 30 days serves preview deployments. For an origin that exists already, the longer of both limits applies; no limit is the longest.',
      access: 'sites:write',
      body: newOrigin,
      responses: {
        200: { description: 'The existing origin', schema: SiteOrigin },
        201: { description: 'The new origin', schema: SiteOrigin },
      },
      problems: { 409: ['origin_limit_reached'] },
      change: async (change, { params, body }) => {
        const { origin, added } = await origins.add(change, params.site_id, body);
        return placed(added, origin);
      },
    }),
    operation('removeSiteOrigin', 'delete', '/sites/{site_id}/origins', {
      tag: 'Sites',
      summary: 'Remove an origin from a site',
      access: 'sites:write',
      query: RemoveOrigin,
      responses: { 204: { description: 'The origin is removed' } },
      change: async (change, { params, query }) => {
        await origins.remove(change, params.site_id, query.origin);
        return noContent;
      },
    }),
    operation('checkSiteOrigin', 'post', '/sites/{site_id}/origins/check', {
      tag: 'Sites',
      summary: 'Check whether an origin may embed agents',
      access: 'sites:read',
      idempotencyKey: false,
      body: json(CheckOrigin),
      responses: { 200: { description: 'Whether it may, and the reason if not', schema: OriginCheck } },
      handle: async ({ organizationId, params, body }) =>
        ok(await origins.check(organizationId, params.site_id, body.origin)),
    }),
  ];
}
