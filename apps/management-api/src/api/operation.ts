import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Caller } from '../caller/caller.ts';
import { callerOf } from '../caller/caller.ts';
import { type Role, roleOf, type Scope } from '../caller/rights.ts';
import type { AnswerOnce } from '../changes/answer-once.ts';
import { type Author, authorIn, authorOf } from '../changes/author.ts';
import type { Change, MakeChange } from '../changes/change.ts';
import type { Tag } from '../openapi/tags.ts';
import { organizationOf } from '../organizations/admission.ts';
import type { Answer } from './answer.ts';
import { ifMatch, type VersionCheck } from './preconditions.ts';
import type { RequestBody } from './request-body.ts';
import { NoQuery, parseQuery } from './validation.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Who may call. `public`: anybody, without a token. `uncounted`: any valid token, and the rate limit is not used up.
 * `any-token`: any valid token, also without an organization. A scope: an organization's user whose role and token both
 * have it.
 */
export type Access = 'public' | 'uncounted' | 'any-token' | Scope;

export const isScope = (access: Access): access is Scope => access.includes(':');

/** Headers of answers, besides those that all answers have. `Set-Cookie` is set on `res`, by whoever seals the cookie. */
export type ResponseHeader = 'ETag' | 'Location' | 'Set-Cookie' | 'Content-Security-Policy';

/** A success or a redirect; refusals are `problems`. */
export interface SuccessResponse {
  readonly description: string;
  /** None: no body. Answers are not checked against it when they are sent, but in every test. */
  readonly schema?: z.ZodType;
  /** Instead of application/json; the body is then text. */
  readonly mediaType?: string;
  readonly headers?: readonly ResponseHeader[];
  readonly example?: unknown;
}

export type SuccessResponses = Readonly<Partial<Record<200 | 201 | 202 | 204 | 302 | 303, SuccessResponse>>>;

/** The answer that a declared response asks for, headers included. */
export type AnswerOf<Responses extends SuccessResponses> = {
  [Status in keyof Responses & number]: { readonly status: Status } & (Responses[Status] extends {
    readonly schema: infer Schema extends z.ZodType;
  }
    ? { readonly body: z.output<Schema> }
    : { readonly body?: undefined }) &
    (Responses[Status] extends { readonly headers: readonly (infer Header extends ResponseHeader)[] }
      ? { readonly headers: Readonly<Record<Exclude<Header, 'Set-Cookie'>, string>> }
      : { readonly headers?: undefined });
}[keyof Responses & number];

/** `site_id` and `agent_id` of `/sites/{site_id}/agents/{agent_id}` */
export type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;

/** What every handler gets: parsed, and nothing that was not declared. */
interface Input<Path extends string, Query, Body, Checked> {
  /** As they were sent: an id that cannot be one is for the service to find nothing for. */
  readonly params: Readonly<Record<ParametersOf<Path>, string>>;
  readonly query: Query;
  readonly body: Body;
  /** `If-Match`, to be asked in the transaction of the change. Only where `ifMatch` is declared. */
  readonly ifMatch: Checked extends true ? VersionCheck : undefined;
  /** For what a declaration cannot say, such as cookies and addresses. */
  readonly req: Request;
  readonly res: Response;
}

interface OfToken {
  readonly caller: Caller;
  /** For an organization that the token does not name. */
  readonly authorIn: (organizationId: string) => Author;
}

interface OfOrganization extends OfToken {
  readonly organizationId: string;
  readonly role: Role;
  readonly author: Author;
  /** For what has to be done before or after the transaction; else declare `change`. */
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

/** What is told of an operation, and holds for it. */
export interface Description {
  readonly method: Method;
  /** Below `/api/v1`, in the form of OpenAPI: `/sites/{site_id}` */
  readonly path: `/${string}`;
  /** Names it in generated clients: never changed. */
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Strict; none: no query parameter is allowed. */
  readonly query?: z.ZodObject;
  readonly body?: RequestBody<unknown>;
  readonly ifMatch?: boolean;
  readonly responses: SuccessResponses;
  /**
   * Codes of refusals by status, besides those that follow from the rest of the declaration: 400 of query and body, 401,
   * 403 of rights, 404 `not_found` of a path with parameters, 412, 413, 415, 429, 500, 503, and of `Idempotency-Key`.
   */
  readonly problems?: Readonly<Record<number, readonly string[]>>;
  /** The answer must be kept nowhere, not even to be asked for again. */
  readonly noStore?: boolean;
  /** Answers refusals, perhaps with a page for a person; what it passes on becomes a problem as everywhere. */
  readonly showProblem?: ErrorRequestHandler;
}

/** An operation of the API, to be mounted by `mountOperations` and described by `describeApi`. */
export interface Operation extends Description {
  /** Whether a retry with the same `Idempotency-Key` gets the same answer */
  readonly isIdempotent: boolean;
  /** Run before the body is read. */
  readonly guards: readonly RequestHandler[];
  /** Reads what is declared, does the work, sends the answer. */
  run(req: Request, res: Response, runtime: OperationRuntime): Promise<void>;
}

export interface OperationRuntime {
  readonly makeChange: MakeChange;
  readonly answerOnce: AnswerOnce;
}

type Work<C, Result, A extends Access> =
  | { readonly handle: (call: C) => Promise<Result> | Result; readonly change?: never }
  | {
      /** In one transaction; sent when it is saved. */
      readonly change: A extends Scope ? (change: Change, call: C) => Promise<Result> : never;
      readonly handle?: never;
    };

/**
 * Declares one operation. Its route, the checks of what is sent to it and its place in the OpenAPI document all come from
 * this one value, so that none of them can be forgotten.
 *
 * ```ts
 * operation({
 *   method: 'post', path: '/sites/{site_id}/restore', operationId: 'restoreSite',
 *   tag: 'Sites', summary: 'Restore a deleted site', access: 'sites:write',
 *   responses: { 200: { description: 'The site', schema: Site, headers: ['ETag'] } },
 *   change: async (change, { params }) => versioned(await sites.restore(change, params.site_id)),
 * });
 * ```
 *
 * Exactly one of `handle` (for reading) and `change` (in one transaction) does the work; both throw a `Problem` to refuse
 * and return an `Answer` that one of `responses` declares: see `answer.ts`. `body` is `json`, `optionalJson`, `mergePatch`
 * or `form` of `request-body.ts`. Every operation needs a call in the tests, or the tests say that it is not covered.
 */
export function operation<
  const Path extends `/${string}`,
  const A extends Access,
  const Responses extends SuccessResponses,
  Query extends z.ZodObject = typeof NoQuery,
  Body = undefined,
  Checked extends boolean = false,
>(
  declared: Omit<Description, 'path' | 'access' | 'query' | 'body' | 'ifMatch' | 'responses'> & {
    readonly path: Path;
    readonly access: A;
    readonly query?: Query;
    readonly body?: RequestBody<Body>;
    readonly ifMatch?: Checked;
    readonly responses: Responses;
    readonly guards?: readonly RequestHandler[];
    /**
     * Honours `Idempotency-Key`. A function gives what of the body a retry must equal: its hash is kept, and must not let
     * anyone try out a secret.
     */
    readonly idempotencyKey?: true | ((body: Body) => unknown);
  } & Work<Call<Path, A, z.output<Query>, Body, Checked>, AnswerOf<Responses>, A>,
): Operation {
  const { handle, change: changeWork, idempotencyKey, guards = [], ...description } = declared;
  if (idempotencyKey && !changeWork) throw new Error(`${declared.operationId}: only a change is done once`);

  return {
    ...description,
    guards,
    isIdempotent: idempotencyKey !== undefined,
    async run(req, res, runtime) {
      const query = parseQuery(declared.query ?? NoQuery, req.query);
      const body = declared.body?.parse(req.body);
      // Holds more than its type where `access` or `ifMatch` leave something out: reading that throws.
      const call = new AnyCall(req, res, runtime, query, body) as unknown as Call<
        Path,
        A,
        z.output<Query>,
        Body,
        Checked
      >;
      if (declared.noStore) res.set('Cache-Control', 'no-store');
      if (handle) return send(res, await handle(call), declared.responses);
      const work = (change: Change): Promise<Answer> => changeWork(change, call);
      if (!idempotencyKey) {
        return send(res, await runtime.makeChange(authorOf(req, res), work), declared.responses);
      }
      if (idempotencyKey !== true) req.body = idempotencyKey(body as Body);
      await runtime.answerOnce(req, res, work);
    },
  };
}

class AnyCall {
  constructor(
    readonly req: Request,
    readonly res: Response,
    private readonly runtime: OperationRuntime,
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
  readonly authorIn = (organizationId: string) => authorIn(organizationId, this.req, this.res);
  readonly makeChange: MakeChangeOfCall = (work) => this.runtime.makeChange(this.author, work);
}

function send(res: Response, answer: Answer, responses: SuccessResponses): void {
  res.status(answer.status);
  if (answer.headers) res.set(answer.headers);
  if (answer.body === undefined) return void res.end();
  const mediaType = Object.entries(responses).find(([status]) => Number(status) === answer.status)?.[1]
    ?.mediaType;
  if (mediaType === undefined) res.json(answer.body);
  else res.type(mediaType).send(answer.body);
}
