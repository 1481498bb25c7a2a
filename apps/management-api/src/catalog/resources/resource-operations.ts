import type { OrganizationId } from '@legate/ids';
import { type Page, pageOf } from '@legate/pagination';
import type { NoQuery } from '@legate/service';
import { z } from 'zod';
import type { Change } from '../../changes/change.ts';
import type { Scope } from '../../domain/rights.ts';
import type { Stored, VersionCheck } from '../../domain/stored.ts';
import { created, noContent, ok, versioned } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { json, mergePatch } from '../../http/api/request-body.ts';
import type { Tag } from '../../http/api/tags.ts';
import { deletedItem, itemWithVersion } from './deleted.ts';

/** The service methods of the operations; all of them throw 404 for a resource of another organization. */
interface Service<Thing extends { id: string }, Query, New, Patch, Remove, Listed> {
  list(organizationId: OrganizationId, query: Query): Promise<Page<Listed>>;
  find(organizationId: OrganizationId, id: Thing['id']): Promise<Stored<Thing>>;
  create(change: Change, thing: New): Promise<Stored<Thing>>;
  /**
   * @param patch computes the patch from the resource as it is in the transaction; if nothing changes, the
   * version stays
   */
  update(
    change: Change,
    id: Thing['id'],
    check: VersionCheck,
    patch: (current: Thing) => Patch,
  ): Promise<Stored<Thing>>;
  remove(change: Change, id: Thing['id'], check: VersionCheck, query: Remove): Promise<void>;
  restore(change: Change, id: Thing['id']): Promise<Stored<Thing>>;
  purge(change: Change, id: Thing['id']): Promise<void>;
}

type Problems = Readonly<Record<number, readonly string[]>>;

type Schema = z.ZodObject;

interface Schemas {
  item: Schema;
  list: Schema;
  create: Schema;
  update: Schema;
  remove: Schema;
  listed: Schema;
}

/** The description of sites, agents or connectors from which their operations are made. */
interface Resource<Of extends Schemas> {
  /** Singular and plural, as used in the ids of the operations: `['Site', 'Sites']` */
  noun: readonly [one: string, many: string];
  /** Path of the list; a single resource is at `{path}/{id parameter}` */
  path: `/${string}`;
  /** Name of the id in paths, such as `site_id` */
  idParameter: string;
  tag: Tag;
  read: Scope;
  write: Scope;
  item: Of['item'];
  /** Schema of an item of the list, if it has fewer members than the resource */
  listed?: Of['listed'];
  list: Of['list'];
  create: Of['create'];
  update: Of['update'];
  /** Query parameters of a deletion */
  remove?: Of['remove'];
  service: Service<
    z.output<Of['item']> & { readonly id: string },
    z.output<Of['list']>,
    z.output<Of['create']>,
    z.output<Of['update']>,
    z.output<Of['remove']>,
    z.output<Of['listed']>
  >;
  /** The part of the body that must be the same when a creation is retried */
  idempotencyKey?: (wanted: z.output<Of['create']>) => unknown;
  /** Scopes of transaction tokens that allow reading; see `operation` */
  transactions?: { list: string; get: string };
  /** Operations that remove rights; see `operation` */
  isSecurity?: { update?: (sent: unknown) => boolean; remove?: true };
  problems?: { create?: Problems; update?: Problems; remove?: Problems; restore?: Problems };
  descriptions?: { list?: string; create?: string; update?: string; remove?: string; restore?: string };
}

/** The seven operations that sites, agents and connectors share: list, get, create, update, delete, restore and purge. */
export function resourceOperations<
  Item extends Schema,
  List extends Schema,
  Create extends Schema,
  Update extends Schema,
  Remove extends Schema = typeof NoQuery,
  Listed extends Schema = Item,
>(
  resource: Resource<{
    item: Item;
    list: List;
    create: Create;
    update: Update;
    remove: Remove;
    listed: Listed;
  }>,
): Operation[] {
  return [...readOperations(resource), ...writeOperations(resource), ...deletionOperations(resource)];
}

function readOperations<Of extends Schemas>(resource: Resource<Of>): Operation[] {
  const { noun, path, tag, read, item, service, transactions, descriptions } = resource;
  const { ofOne, found, idIn, aOne, many } = wordsOf(resource);
  const present = resource.listed ?? item;
  const listed = z.union([present, itemWithVersion(present, noun[0]), deletedItem(present, noun[0])]);
  return [
    operation(`list${noun[1]}`, 'get', path, {
      tag,
      summary: `List ${many}`,
      ...(descriptions?.list && { description: descriptions.list }),
      access: read,
      query: resource.list,
      transaction: transactions?.list,
      responses: { 200: { description: `A page of ${many}`, schema: pageOf(listed) } },
      handle: async ({ organizationId, query }) => ok(await service.list(organizationId, query)),
    }),
    operation(`get${noun[0]}`, 'get', ofOne, {
      tag,
      summary: `Get ${aOne}`,
      access: read,
      transaction: transactions?.get,
      responses: { 200: found },
      handle: async ({ organizationId, params }) =>
        versioned(await service.find(organizationId, idIn(params))),
    }),
  ];
}

function writeOperations<Of extends Schemas>(resource: Resource<Of>): Operation[] {
  const { noun, path, tag, write, service, problems, descriptions, isSecurity } = resource;
  const { ofOne, found, idIn, one, aOne } = wordsOf(resource);
  return [
    operation(`create${noun[0]}`, 'post', path, {
      tag,
      summary: `Create ${aOne}`,
      ...(descriptions?.create && { description: descriptions.create }),
      access: write,
      body: json(resource.create),
      ...(resource.idempotencyKey && { idempotencyKey: resource.idempotencyKey }),
      responses: { 201: { ...found, description: `The new ${one}`, headers: ['Location', 'ETag'] } },
      ...(problems?.create && { problems: problems.create }),
      change: async (change, { body }) => {
        const stored = await service.create(change, body);
        return created(`${path}/${stored.value.id}`, stored);
      },
    }),
    operation(`update${noun[0]}`, 'patch', ofOne, {
      tag,
      summary: `Change ${aOne}`,
      ...(descriptions?.update && { description: descriptions.update }),
      access: write,
      body: mergePatch(resource.update),
      ifMatch: true,
      ...(isSecurity?.update && { isSecurity: isSecurity.update }),
      responses: { 200: found },
      ...(problems?.update && { problems: problems.update }),
      change: async (change, { params, ifMatch, body }) =>
        versioned(await service.update(change, idIn(params), ifMatch, body)),
    }),
  ];
}

function deletionOperations<Of extends Schemas>(resource: Resource<Of>): Operation[] {
  const { noun, tag, write, service, problems, descriptions, isSecurity } = resource;
  const { ofOne, found, idIn, one, aOne } = wordsOf(resource);
  return [
    operation(`delete${noun[0]}`, 'delete', ofOne, {
      tag,
      summary: `Delete ${aOne}`,
      description: descriptions?.remove ?? 'It can be restored for 30 days.',
      access: write,
      ...(resource.remove && { query: resource.remove }),
      ifMatch: true,
      ...(isSecurity?.remove && { isSecurity: true }),
      responses: { 204: { description: `The ${one} is deleted` } },
      ...(problems?.remove && { problems: problems.remove }),
      change: async (change, { params, ifMatch, query }) => {
        await service.remove(change, idIn(params), ifMatch, query);
        return noContent;
      },
    }),
    operation(`restore${noun[0]}`, 'post', `${ofOne}/restore` as const, {
      tag,
      summary: `Restore a deleted ${one}`,
      description:
        descriptions?.restore ??
        'Possible within 30 days of the deletion. If it is not deleted, it is returned unchanged.',
      access: write,
      responses: { 200: found },
      ...(problems?.restore && { problems: problems.restore }),
      change: async (change, { params }) => versioned(await service.restore(change, idIn(params))),
    }),
    operation(`purge${noun[0]}`, 'post', `${ofOne}/purge` as const, {
      tag,
      summary: `Delete a deleted ${one} for good`,
      description:
        'Purges it before its 30 days are over. It must have been deleted, and cannot be restored afterwards.',
      access: write,
      minimumRole: 'admin',
      responses: { 204: { description: `Nothing is left of the ${one}` } },
      change: async (change, { params }) => {
        await service.purge(change, idIn(params));
        return noContent;
      },
    }),
  ];
}

/** Texts, paths and responses that the operations of a resource share. */
function wordsOf<Item extends Schema>(resource: {
  noun: readonly [one: string, many: string];
  path: `/${string}`;
  idParameter: string;
  item: Item;
}) {
  const { noun, path, idParameter, item } = resource;
  const [one, many] = [noun[0].toLowerCase(), noun[1].toLowerCase()];
  return {
    one,
    many,
    aOne: /^[aeiou]/.test(one) ? `an ${one}` : `a ${one}`,
    ofOne: `${path}/{${idParameter}}` as const,
    found: { description: `The ${one}`, schema: item, headers: ['ETag'] } as const,
    /** The type of an id is the type of the resource's `id`. */
    idIn: (params: Readonly<Record<string, string>>) =>
      String(params[idParameter]) as z.output<Item>['id'] & string,
  };
}
