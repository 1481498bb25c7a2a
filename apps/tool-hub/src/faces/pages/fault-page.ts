import { createViews, type Logger, PAGE_STYLE } from '@legate/service';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { sendPage } from './page.ts';
import { PAGE_FAULTS, PageFault, type PageFaultCode } from './page-fault.ts';

const views = createViews({
  fault: `<% layout('@shell') %>
<main>
<h1><%= it.title %></h1>
<p role="alert"><%= it.text %></p>
<% if (it.reason) { %>
<p>For the administrator: <%= it.reason %></p>
<% } %>
</main>
`,
});

/**
 * @param reason shown if a peer is at fault, since only its administrator can help; limited in length, and escaped here
 */
export function faultPage(code: PageFaultCode, reason?: string): string {
  const { status, title, text } = PAGE_FAULTS[code];
  const shown = status === 502 ? reason : undefined;
  return views.render('fault', {
    title,
    text,
    reason: shown,
    titleBar: `${title} · Legate`,
    style: PAGE_STYLE,
  });
}

export const sendFault = (req: Request, res: Response, { code, reason }: PageFault): void =>
  sendPage(req, res, PAGE_FAULTS[code].status, faultPage(code, reason));

/**
 * Shows a page for any error. The page for an unexpected one asks the user to try again later.
 * @param what the action of the user, for the log
 * @param toFault converts an error that is not a `PageFault`; if it returns undefined, the next handler gets the error.
 *   Default: all such errors are unexpected
 */
export const showFault =
  (
    log: Logger,
    what: 'connection' | 'authorization',
    toFault: (err: unknown) => PageFault | undefined = unexpected,
  ): ErrorRequestHandler =>
  (err: unknown, req, res, next) => {
    const fault = err instanceof PageFault ? err : toFault(err);
    if (res.headersSent || !fault) return next(err);
    const { code, reason } = fault;
    const fields = { code, reason, request_id: res.get('X-Request-Id') };
    if (PAGE_FAULTS[code].status >= 500)
      log.error({ ...fields, ...(fault.cause !== undefined && { err }) }, `${what} failed`);
    else log.info(fields, `${what} refused`);
    sendFault(req, res, fault);
  };

export const unexpected = (err: unknown): PageFault =>
  new PageFault('unavailable', err instanceof Error ? err.name : 'unknown', { cause: err });
