import type { OrganizationId } from '@legate/ids';
import type { ParametersOf } from '@legate/operations';
import type { Request, Response } from 'express';
import { organizationOf, roleOf } from '../../callers/admission/admission.ts';
import { authorIn, authorOf } from '../../callers/admission/author-of-request.ts';
import { callerOf } from '../../callers/authentication/caller-of-request.ts';
import type { Change, MakeChange } from '../../changes/change.ts';
import type { Author } from '../../domain/author.ts';
import type { Caller } from '../../domain/caller.ts';
import type { IdParameters } from '../../domain/ids.ts';
import type { Role, Scope } from '../../domain/rights.ts';
import type { VersionCheck } from '../../domain/stored.ts';
import type { Access } from './access.ts';
import { ifMatch } from './preconditions.ts';

type ParameterOf<Name extends string> = Name extends keyof IdParameters ? IdParameters[Name] : string;

/** The input of every handler: parsed, and only the declared parts. */
interface Input<Path extends string, Query, Body, Checked> {
  /** Parameters of the path, as sent: the service finds nothing for an id that cannot exist. */
  readonly params: { readonly [Name in ParametersOf<Path>]: ParameterOf<Name> };
  readonly query: Query;
  readonly body: Body;
  /** Checks `If-Match`; must be called in the transaction of the change. Defined only if `ifMatch` is declared. */
  readonly ifMatch: Checked extends true ? VersionCheck : undefined;
  /** The request, for input that cannot be declared, such as cookies and addresses. */
  readonly req: Request;
  readonly res: Response;
}

interface OfToken {
  readonly caller: Caller;
  /** Returns the caller as author of changes in an organization that the token does not name. */
  readonly authorIn: (organizationId: OrganizationId) => Author;
}

interface OfOrganization extends OfToken {
  readonly organizationId: OrganizationId;
  readonly role: Role;
  readonly author: Author;
  /** Runs a transaction, for operations that also work before or after it; others declare `change`. */
  readonly makeChange: MakeChangeOfCall;
}

type MakeChangeOfCall = <Result>(work: (change: Change) => Promise<Result>) => Promise<Result>;

export type Call<Path extends string, A extends Access, Query, Body, Checked> = Input<
  Path,
  Query,
  Body,
  Checked
> &
  (A extends 'public' ? unknown : A extends Scope ? OfOrganization : OfToken);

/** Everything that a call may have; the type of a handler limits what it sees. */
export class AnyCall {
  constructor(
    readonly req: Request,
    readonly res: Response,
    private readonly change: MakeChange,
    readonly query: unknown,
    readonly body: unknown,
  ) {}
  get params() {
    return this.req.params;
  }
  get ifMatch() {
    return ifMatch(this.req);
  }
  get caller() {
    return callerOf(this.res);
  }
  get role() {
    return roleOf(this.res);
  }
  get organizationId() {
    return organizationOf(this.res).id;
  }
  get author() {
    return authorOf(this.req, this.res);
  }
  readonly authorIn = (organizationId: OrganizationId) => authorIn(organizationId, this.req, this.res);
  readonly makeChange: MakeChangeOfCall = (work) => this.change(this.author, work);
}
