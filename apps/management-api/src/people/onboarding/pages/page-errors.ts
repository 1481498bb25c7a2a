import { type Logger, Problem } from '@legate/service';
import type { ErrorRequestHandler, Request } from 'express';
import { problem, type WayOn } from '../../../domain/problem-codes.ts';
import { faultOf } from './faults.ts';
import type { Link, Pages } from './pages.ts';
import { sendPage } from './send.ts';

/**
 * Shows a person a page in place of a problem. Mounted last in a router, after `packageErrors`.
 * @param deps.wayOn returns the link with which an error page continues, for this browser
 */
export function pageErrors(deps: {
  pages: Pages;
  wayOn: (way: WayOn, req: Request) => Link;
  hasInvitation: (req: Request) => boolean;
  log: Logger;
}): ErrorRequestHandler {
  return (err: unknown, req, res, next) => {
    if (res.headersSent) return next(err);
    const problem = err instanceof Problem ? err : (unreadable(err) ?? internalError(err));
    const requestId = res.get('X-Request-Id');
    const fields = { code: problem.code, request_id: requestId };
    if (problem.status >= 500) deps.log.error({ ...fields, err }, 'page failed');
    else deps.log.debug(fields, 'page refused');
    const fault = faultOf(problem.code, deps.hasInvitation(req));
    const { title, text, ways = ['onward'], ofInvitation: setAside = false } = fault;
    const links = ways.map((way) => deps.wayOn(way, req));
    res.set(problem.headers);
    sendPage(
      req,
      res,
      problem.status,
      deps.pages.fault({ title, text, links, code: problem.code, requestId, setAside }),
    );
  };
}

/** Handles errors of endpoints that browsers and programs use: a browser gets a page, a program the problem. */
export function pageErrorsForBrowsers(showPage: ErrorRequestHandler): ErrorRequestHandler {
  return (err, req, res, next) => {
    res.vary('Accept');
    const isBrowser = req.accepts(['json', 'html']) === 'html';
    return isBrowser ? showPage(err, req, res, next) : next(err);
  };
}

const internalError = (cause: unknown): Problem => problem('internal_error', { cause });

/** Maps errors of Express and its body parser: a form too large, or with an invalid encoding. */
function unreadable(err: unknown): Pick<Problem, 'status' | 'code' | 'headers'> | undefined {
  if (!(err instanceof Error) || !('status' in err) || typeof err.status !== 'number') return undefined;
  if (!(err instanceof URIError) && !('expose' in err && err.expose === true)) return undefined;
  return { status: err.status, code: 'validation_failed', headers: {} };
}
