import type { Response } from 'express';

/** Who calls, as the token says. */
export interface Caller {
  readonly issuer: string;
  /** The user's `sub`: unique only together with the issuer */
  readonly subject: string;
  readonly organizationId: string | undefined;
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly roles: readonly string[] | undefined;
  /** The `scope` claim as it is */
  readonly scope: string | undefined;
}

export function setCaller(res: Response, caller: Caller): void {
  res.locals.caller = caller;
}

/** The caller that `authenticate` found. */
export function callerOf(res: Response): Caller {
  return res.locals.caller as Caller;
}
