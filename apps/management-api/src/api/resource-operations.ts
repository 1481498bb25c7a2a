import { type Page, pageOf } from '@legate/pagination';
import type { z } from 'zod';
import type { Scope } from '../caller/rights.ts';
import type { Change } from '../changes/change.ts';
import type { Tag } from '../openapi/tags.ts';
import { created, noContent, ok, versioned } from './answer.ts';
import { type Operation, operation } from './operation.ts';
import type { VersionCheck } from './preconditions.ts';
import { json, mergePatch } from './request-body.ts';
import type { Stored } from './stored.ts';
import type { NoQuery } from './validation.ts';

/** What a service of things offers that an organization owns many of; each throws 404 for a thing of another one. */
export interface ResourceService<Thing, List, Create, Update, Remove, Listed> {
  list(organizationId: string, query: List): Promise<Page<Listed>>;
  find(organizationId: string, id: string): Promise<Stored<Thing>>;
  create(change: Change, wanted: Create): Promise<Stored<Thing>>;
  update(
    change: Change,
    id: string,
    check: VersionCheck,
    patch: (current: Thing) => Update,
  ): Promise<Stored<Thing>>;
  remove(change: Change, id: string, check: VersionCheck, query: Remove): Promise<void>;
  restore(change: Change, id: string): Promise<Stored<Thing>>;
}

type Problems = Readonly<Record<number, readonly string[]>>;

/**
 * The six operations that sites, agents and connectors share: list, create, get, update, delete and restore.
 * @param resource.noun of one thing and of many, as the ids of the operations are to have them: `['Site', 'Sites']`
 * @param resource.path of the list; a thing is at `{path}/{id parameter}`
 */
export function resourceOperations<
  Item extends z.ZodObject,
  List extends z.ZodObject,
  Create extends z.ZodObject,
  Update extends z.ZodObject,
  Remove extends z.ZodObject = typeof NoQuery,
  Listed extends z.ZodObject = Item,
>(resource: {
  noun: readonly [one: string, many: string];
  path: `/${string}`;
  /** Such as `site_id` */
  idParameter: string;
  tag: Tag;
  read: Scope;
  write: Scope;
  item: Item;
  /** An item of the list, where that has less of it */
  listed?: Listed;
  list: List;
  create: Create;
  update: Update;
  /** Query of a deletion */
  remove?: Remove;
  service: ResourceService<
    z.output<Item> & { readonly id: string },
    z.output<List>,
    z.output<Create>,
    z.output<Update>,
    z.output<Remove>,
    z.output<Listed>
  >;
  /** What of the body a retry of a creation must equal */
  idempotencyKey?: true | ((wanted: z.output<Create>) => unknown);
  /** Scopes of transaction tokens for reading; see `operation` */
  transactions?: { list: string; get: string };
  problems?: { create?: Problems; update?: Problems; remove?: Problems; restore?: Problems };
  descriptions?: { list?: string; create?: string; update?: string; remove?: string; restore?: string };
}): Operation[] {
  const {
    noun,
    path,
    idParameter,
    tag,
    read,
    write,
    item,
    service,
    transactions,
    problems = {},
    descriptions = {},
  } = resource;
  const [One, Many] = noun;
  const [one, many] = [One.toLowerCase(), Many.toLowerCase()];
  const aOne = /^[aeiou]/.test(one) ? `an ${one}` : `a ${one}`;
  const ofOne = `${path}/{${idParameter}}` as const;
  const found = { description: `The ${one}`, schema: item, headers: ['ETag'] } as const;
  const idIn = (params: Readonly<Record<string, string>>) => String(params[idParameter]);

  return [
    operation({
      method: 'get',
      path,
      operationId: `list${Many}`,
      tag,
      summary: `List ${many}`,
      ...(descriptions.list && { description: descriptions.list }),
      access: read,
      query: resource.list,
      transaction: transactions?.list,
      responses: { 200: { description: `A page of ${many}`, schema: pageOf(resource.listed ?? item) } },
      handle: async ({ organizationId, query }) => ok(await service.list(organizationId, query)),
    }),
    operation({
      method: 'post',
      path,
      operationId: `create${One}`,
      tag,
      summary: `Create ${aOne}`,
      ...(descriptions.create && { description: descriptions.create }),
      access: write,
      body: json(resource.create),
      idempotencyKey: resource.idempotencyKey ?? true,
      responses: { 201: { ...found, description: `The new ${one}`, headers: ['Location', 'ETag'] } },
      ...(problems.create && { problems: problems.create }),
      change: async (change, { body }) => {
        const stored = await service.create(change, body);
        return created(`${path}/${stored.value.id}`, stored);
      },
    }),
    operation({
      method: 'get',
      path: ofOne,
      operationId: `get${One}`,
      tag,
      summary: `Get ${aOne}`,
      access: read,
      transaction: transactions?.get,
      responses: { 200: found },
      handle: async ({ organizationId, params }) =>
        versioned(await service.find(organizationId, idIn(params))),
    }),
    operation({
      method: 'patch',
      path: ofOne,
      operationId: `update${One}`,
      tag,
      summary: `Change ${aOne}`,
      ...(descriptions.update && { description: descriptions.update }),
      access: write,
      body: mergePatch(resource.update),
      ifMatch: true,
      responses: { 200: found },
      ...(problems.update && { problems: problems.update }),
      change: async (change, { params, ifMatch, body }) =>
        versioned(await service.update(change, idIn(params), ifMatch, body)),
    }),
    operation({
      method: 'delete',
      path: ofOne,
      operationId: `delete${One}`,
      tag,
      summary: `Delete ${aOne}`,
      description: descriptions.remove ?? 'For 30 days it can be restored.',
      access: write,
      ...(resource.remove && { query: resource.remove }),
      ifMatch: true,
      responses: { 204: { description: `The ${one} is deleted` } },
      ...(problems.remove && { problems: problems.remove }),
      change: async (change, { params, ifMatch, query }) => {
        await service.remove(change, idIn(params), ifMatch, query);
        return noContent;
      },
    }),
    operation({
      method: 'post',
      path: `${ofOne}/restore` as const,
      operationId: `restore${One}`,
      tag,
      summary: `Restore a deleted ${one}`,
      description: descriptions.restore ?? 'Within 30 days. What is not deleted is answered as it is.',
      access: write,
      responses: { 200: found },
      ...(problems.restore && { problems: problems.restore }),
      change: async (change, { params }) => versioned(await service.restore(change, idIn(params))),
    }),
  ];
}
