import {
  type Answer,
  type AnswerOf,
  createSend,
  type Declaration,
  type DeclaredBody,
  type Method,
  type ParametersOf,
  type SuccessResponses as Responses,
} from '@legate/operations';
import { parseBody, parseQuery } from '@legate/service';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Caller } from '../../domain/caller.ts';
import type { HubProblemCode } from '../../domain/problem-codes.ts';
import { callerOf } from '../../sign-in/authenticate.ts';

/** Response headers, besides those of every response */
export type HubHeader = 'ETag' | 'Legate-Acts-As' | 'Legate-Call-Id' | 'Legate-Token-Cache';

type SuccessResponses = Responses<HubHeader>;

/**
 * Access rules and checks that the route of an operation applies before `handle`, and further parts of its description
 */
interface Rules {
  /**
   * The callers that are served. `user`: the user themself, and no session that is bound to an agent, because a model
   * may have its handle. `agents`: agents as well, within their bindings. `public`: anyone, without a token and
   * uncounted.
   */
  readonly access: 'public' | 'user' | 'agents';
  /**
   * True if the operation checks for sign-outs itself, or must not be stopped by the sign-out that it records. For all
   * other operations `mountOperations` refuses a user who has signed out.
   */
  readonly readsSignOuts?: true;
  /**
   * True if the operation runs while its request is counted, and itself waits for the count before it sends anything.
   */
  readonly countedMeanwhile?: true;
  /** Codes of refusals, besides those that follow from the rest of the declaration (`problemsOf`) */
  readonly problems?: readonly HubProblemCode[];
  /** Middleware that runs after the caller has been admitted */
  readonly guards?: readonly RequestHandler[];
}

/** An operation of `/api/v1`, to be mounted by `mountOperations` and described by `describeHub`. */
export interface HubOperation extends Declaration, Rules {
  readonly responses: SuccessResponses;
  readonly run: RequestHandler;
}

/** `connectorId` for `connector_id`: the form of parameter names in the code and in Express */
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

interface Body<Parsed> extends DeclaredBody {
  /** @throws {Problem} 400 `validation_failed` */
  readonly parse: (body: unknown) => Parsed;
}

export const json = <Schema extends z.ZodType>(schema: Schema): Body<z.output<Schema>> => ({
  ...{ mediaTypes: ['application/json'], schema, required: true },
  parse: (body) => parseBody(schema, body),
});

/** Declares an optional JSON body. @param schema with a default */
export const optionalJson = <Schema extends z.ZodType>(schema: Schema): Body<z.output<Schema>> => ({
  ...json(schema),
  required: false,
});

type Parameters<Path extends string> = { readonly [Name in CamelCase<ParametersOf<Path>>]: string };

/** The input of a handler, as the operation declares it */
type Call<Path extends string, Access, Query, Parsed> = {
  readonly params: Parameters<Path>;
  readonly query: Query;
  /** Parses the body. Called after all checks that do not depend on the body. @throws {Problem} 400 */
  readonly readBody: () => Parsed;
  readonly req: Request;
  readonly res: Response;
} & (Access extends 'public' ? unknown : { readonly caller: Caller });

/** What any handler may be called with */
interface AnyCall {
  readonly params: object;
  readonly query: unknown;
  readonly readBody: () => unknown;
  readonly req: Request;
  readonly res: Response;
}

/** Declared as methods, so that a handler with a narrower parameter can be assigned. */
type Work<Call, Answered> =
  | { handle(call: Call): Promise<Answered> | Answered; readonly serve?: never }
  | {
      /** Writes the answer itself. */
      serve(call: Call): Promise<void>;
      readonly handle?: never;
    };

/**
 * Declares one operation. Its route, its checks and its part of the OpenAPI document are all derived from this value.
 * ```ts
 * operation('endSession', 'delete', '/sessions/current', {
 *   summary: 'End the current session',
 *   access: 'agents',
 *   responses: { 204: { description: 'The session has ended' } },
 *   problems: ['session_not_found'],
 *   handle: async ({ caller }) => { … return noContent; },
 * });
 * ```
 *
 * `handle` throws a `Problem` to refuse, and otherwise returns an answer that is declared in `responses`.
 */
export function operation<
  const Path extends `/${string}`,
  const Access extends Rules['access'],
  const Of extends SuccessResponses,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Parsed = undefined,
>(
  operationId: string,
  method: Method,
  path: Path,
  declared: Omit<Rules, 'access'> & {
    readonly summary: string;
    readonly description?: string;
    readonly access: Access;
    readonly query?: Query;
    readonly body?: Body<Parsed>;
    readonly responses: Of;
  } & Work<Call<Path, Access, z.output<Query>, Parsed>, AnswerOf<Of>>,
): HubOperation {
  const { handle, serve, ...description } = declared;
  return { ...description, operationId, method, path, run: runOf(declared) };
}

type Declared = Pick<HubOperation, 'access' | 'query' | 'responses'> & {
  readonly body?: Body<unknown>;
} & Work<AnyCall, Answer>;

/** Answers about a caller must not be stored. Public answers may be stored, and are revalidated before each use. */
const CACHE_CONTROL = { public: 'no-cache', user: 'no-store', agents: 'no-store' } as const;

function runOf({ access, query, body, responses, ...work }: Declared): RequestHandler {
  const callOf = (req: Request, res: Response): AnyCall & { readonly caller: Caller | undefined } => ({
    params: req.params,
    query: query && parseQuery(query, req.query),
    readBody: () => body?.parse(req.body),
    caller: access === 'public' ? undefined : callerOf(res),
    req,
    res,
  });
  if (work.serve) return (req, res) => work.serve(callOf(req, res));
  const send = createSend(responses);
  return async (req, res) => {
    const answer = await work.handle(callOf(req, res));
    if (answer.body !== undefined) res.set('Cache-Control', CACHE_CONTROL[access]);
    await send(res, answer);
  };
}
