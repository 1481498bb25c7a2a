import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { callerOf, findCaller } from '../sign-in/authenticate.ts';
import type { Admission, Admit } from './fair-use.ts';

/** Begins to count a request of a caller, and takes its place. Mounted behind `authenticate`. */
export function beginAdmission(admit: Admit): RequestHandler {
  return (_req, res, next) => {
    res.locals.admission = admit(callerOf(res), res);
    next();
  };
}

/** The admission that `beginAdmission` began. */
export function admissionOf(res: Response): Admission {
  return res.locals.admission as Admission;
}

/** Lets a request pass when it has been counted, and gives its place back when its answer has been sent. */
export const awaitAdmission: RequestHandler = async (_req, res, next) => {
  const admission = admissionOf(res);
  res.once('close', admission.leave);
  await admission.admitted;
  next();
};

/**
 * Counts a request before its refusal is sent, so that every authenticated response has the rate limit headers, and a
 * request beyond the limit gets 429 whatever else is wrong with it.
 * @param admit for requests that were refused before they were counted; undefined: there are none
 */
export function countRefused(admit?: Admit): ErrorRequestHandler {
  return (err: unknown, _req, res, next) => {
    const caller = findCaller(res);
    const admission: Admission | undefined =
      res.locals.admission ?? (caller && admit?.(caller, res, { hasPlace: false }));
    if (!admission) return next(err);
    admission.admitted.then(
      () => next(err),
      (refusal: unknown) => next(refusal),
    );
    res.once('close', admission.leave);
  };
}
