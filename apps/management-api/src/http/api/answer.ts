import type { Stored } from '../../domain/stored.ts';
import { etagOf } from './preconditions.ts';

export const ok = <Body>(body: Body) => ({ status: 200, body }) as const;

/** Returns the response for one resource, with its version, which `If-None-Match` and `If-Match` compare. */
export const versioned = <Thing>({ value, version }: Stored<Thing>) =>
  ({ status: 200, headers: { ETag: etagOf(version) }, body: value }) as const;

/** @param path path of the new resource below `/api/v1` */
export const created = <Thing>(path: string, { value, version }: Stored<Thing>) =>
  ({ status: 201, headers: { Location: `/api/v1${path}`, ETag: etagOf(version) }, body: value }) as const;

export const noContent = { status: 204 } as const;

/** Returns the response to a PUT: 201 if it created something. */
export const placed = <Thing>(added: boolean, body: Thing) => ({ status: added ? 201 : 200, body }) as const;
export const placedVersion = <Thing>(added: boolean, { value, version }: Stored<Thing>) =>
  ({ status: added ? 201 : 200, headers: { ETag: etagOf(version) }, body: value }) as const;

export const redirect = <Status extends 302 | 303>(status: Status, url: string) =>
  ({ status, headers: { Location: url } }) as const;
