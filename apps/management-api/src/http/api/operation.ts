import { type Answer, createSend, type Declaration, type Method } from '@legate/operations';
import { NoQuery } from '@legate/service';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { authorOf } from '../../callers/admission/author-of-request.ts';
import type { WhileSuspended } from '../../callers/standing/not-active.ts';
import type { Change, MakeChange } from '../../changes/change.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { Role, Scope } from '../../domain/rights.ts';
import { type Access, isScope } from './access.ts';
import { AnyCall, type Call } from './call.ts';
import { parseQuery } from './query.ts';
import type { RequestBody } from './request-body.ts';
import type { AnswerOf, SuccessResponses } from './response.ts';
import type { Tag } from './tags.ts';

/** The description of an operation, and the rules that apply to its calls. */
export interface Description extends Declaration {
  readonly tag: Tag;
  readonly access: Access;
  /** A scope that a token limited by scopes must contain, for `any-token` or in addition to the scope of `access` */
  readonly tokenScope?: Scope;
  /**
   * Who may call it while the organization is suspended or deleted. Default: owners, if it takes rights away,
   * since suspending is often the first reaction to a break-in; otherwise nobody.
   */
  readonly whileSuspended?: WhileSuspended;
  /** The weakest role that may call it, if the scope of `access` would allow more people. */
  readonly minimumRole?: Role;
  /** Strict schema of the query; undefined: no query parameter is allowed. */
  readonly query?: z.ZodObject;
  readonly body?: RequestBody<unknown>;
  readonly ifMatch?: boolean;
  /**
   * True for a PUT that may create: with `If-None-Match: *` it replaces no existing version; see `putPreconditions`.
   */
  readonly ifNoneMatch?: boolean;
  readonly responses: SuccessResponses;
  /**
   * Codes of refusals by status, besides those that follow from the rest of the declaration: 400 for query and body,
   * 401, 403 for permissions, 404 `not_found` for a path with parameters, 406, 412, 413, 415, 429, 500, 503, and
   * those of `Idempotency-Key`.
   */
  readonly problems?: Readonly<Record<number, readonly string[]>>;
  /**
   * The `scope` of transaction tokens with which a workload may call it for a user. Undefined: no such token is
   * accepted. Only for operations without a body, since a token signs path and query.
   */
  readonly transaction?: string | undefined;
  /**
   * Marks an operation that takes rights away. It has a reserve beyond the plan, since another user's script must not
   * block it. A function decides by the request body, for an operation that may also do something else.
   */
  readonly isSecurity?: true | ((sent: unknown) => boolean);
  /** Refuses machines, because the operation is about the calling person. */
  readonly isForPeople?: true;
  /** The response must not be stored, not even for revalidation. */
  readonly noStore?: boolean | 'private';
  /** Handles refusals, perhaps with a page for a person; errors that it passes on become problems as usual. */
  readonly showProblem?: ErrorRequestHandler;
}

/** An operation of the API, to be mounted by `mountOperations` and described by `describeApi`. */
export interface Operation extends Description {
  /** True if a retry with the same `Idempotency-Key` gets the same response */
  readonly isIdempotent: boolean;
  /** Middleware that runs before the body is read. */
  readonly guards: readonly RequestHandler[];
  /** Reads the declared input, calls the handler, and sends the response. */
  run(req: Request, res: Response, runtime: OperationRuntime): Promise<void>;
}

/** Returns true if it responds with JSON or nothing. Public operations are for browsers, or return a fixed document. */
export const isNegotiated = ({ access }: Operation): boolean => access !== 'public';

/**
 * Produces the response to a POST that creates, once for each `Idempotency-Key`.
 * @param sent the input that a retry must repeat: the parsed body, so that the order of members or an explicit
 * default does not matter
 */
export type AnswerOnce = (
  req: Request,
  res: Response,
  sent: unknown,
  work: (change: Change) => Promise<Answer>,
  /** Members of the response that are null in a replay */
  secrets?: readonly string[],
) => Promise<Answer>;

/**
 * Produces the response to a POST that may be repeated, and replays it for the same `Idempotency-Key`.
 * @param sent as for `AnswerOnce`
 */
export type AnswerAgain = (
  req: Request,
  res: Response,
  sent: unknown,
  work: () => Promise<Answer>,
) => Promise<Answer>;

export interface OperationRuntime {
  readonly makeChange: MakeChange;
  readonly answerAgain: AnswerAgain;
  readonly answerOnce: AnswerOnce;
}

type Work<C, Result, A extends Access> =
  | { readonly handle: (call: C) => Promise<Result> | Result; readonly change?: never }
  | {
      /** Runs in one transaction; the response is sent after the commit. */
      readonly change: A extends Scope ? (change: Change, call: C) => Promise<Result> : never;
      readonly handle?: never;
    };

/**
 * Declares one operation. Its route, its input checks and its OpenAPI description all come from this one value, so that
 * none can be forgotten.
 *
 * ```ts
 * operation('restoreSite', 'post', '/sites/{site_id}/restore', {
 *   tag: 'Sites', summary: 'Restore a deleted site', access: 'sites:write',
 *   responses: { 200: { description: 'The site', schema: Site, headers: ['ETag'] } },
 *   change: async (change, { params }) => versioned(await sites.restore(change, params.site_id)),
 * });
 * ```
 *
 * Exactly one of `handle` (for reading) and `change` (in one transaction) is declared; both throw a `Problem` to
 * refuse and return an `Answer` that one of `responses` declares: see `answer.ts`. `body` is `json`, `optionalJson` or
 * `mergePatch` of `request-body.ts`. The tests fail for an operation that they do not call.
 */
export function operation<
  const Path extends `/${string}`,
  const A extends Access,
  const Responses extends SuccessResponses,
  Query extends z.ZodObject = typeof NoQuery,
  Body = undefined,
  Checked extends boolean = false,
>(
  operationId: string,
  method: Method,
  path: Path,
  declared: Omit<
    Description,
    'operationId' | 'method' | 'path' | 'access' | 'query' | 'body' | 'ifMatch' | 'responses'
  > & {
    readonly access: A;
    readonly query?: Query;
    readonly body?: RequestBody<Body>;
    readonly ifMatch?: Checked;
    readonly responses: Responses;
    readonly guards?: readonly RequestHandler[];
    /**
     * Each POST of an organization supports `Idempotency-Key`, unless this is false: then the key is refused. A
     * function returns the part of the body that a retry must repeat: its hash is stored, and must not help to guess
     * a secret. With `handle` the operation must be repeatable.
     */
    readonly idempotencyKey?: boolean | ((body: Body) => unknown);
    /** Members of the response that are shown once: they are not stored for a replay, which has null instead. */
    readonly secrets?: readonly string[];
  } & Work<Call<Path, A, z.output<Query>, Body, Checked>, AnswerOf<Responses>, A>,
): Operation {
  const { handle, change: changeWork, idempotencyKey, guards = [], secrets = [], ...description } = declared;
  const whileSuspended = declared.whileSuspended ?? (declared.isSecurity && 'owner');
  if (declared.transaction && declared.body) {
    throw new Error(`${operationId}: a transaction token would not say what the body may be`);
  }
  const isIdempotent = method === 'post' && isScope(declared.access) && idempotencyKey !== false;

  const send = createSend(declared.responses);
  return {
    ...description,
    ...(whileSuspended && { whileSuspended }),
    operationId,
    method,
    path,
    guards,
    isIdempotent,
    async run(req, res, runtime) {
      if (method === 'post' && !isIdempotent) refuseKey(req);
      const query = parseQuery(declared.query ?? NoQuery, req.query);
      const body = declared.body?.parse(req.body);
      // The type hides the members that `access` and `ifMatch` exclude.
      const call = new AnyCall(req, res, runtime.makeChange, query, body) as unknown as Call<
        Path,
        A,
        z.output<Query>,
        Body,
        Checked
      >;
      if (declared.noStore)
        res.set('Cache-Control', declared.noStore === 'private' ? 'private, no-store' : 'no-store');
      const sent = typeof idempotencyKey === 'function' ? idempotencyKey(body as Body) : body;
      if (handle) {
        const work = async (): Promise<Answer> => handle(call);
        return await send(res, isIdempotent ? await runtime.answerAgain(req, res, sent, work) : await work());
      }
      const work = (change: Change): Promise<Answer> => changeWork(change, call);
      const answer = isIdempotent
        ? runtime.answerOnce(req, res, sent, work, secrets)
        : runtime.makeChange(authorOf(req, res), work);
      await send(res, await answer);
    },
  };
}

/**
 * Refuses an `Idempotency-Key`: a client that relies on it must learn that it has no effect here. @throws {Problem}
 * 400
 */
function refuseKey(req: Request): void {
  if (req.get('Idempotency-Key') === undefined) return;
  throw problem('idempotency_not_supported', { detail: 'Send this request without Idempotency-Key.' });
}
