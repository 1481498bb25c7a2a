import { PAGE_STYLE, pageSecurityHeaders } from '@legate/service';
import type { Request, Response } from 'express';

/**
 * Sends a page without script that may be neither framed nor cached.
 * @param formAction where its forms may be sent, including redirects; default: it has no forms
 */
export function sendPage(
  req: Request,
  res: Response,
  status: number,
  html: string,
  formAction: readonly string[] = ["'none'"],
): void {
  setPageHeaders(req, res, formAction);
  res.status(status).type('html').send(html);
}

/** Sets the security headers of a page that other code sends. */
export function setPageHeaders(
  req: Request,
  res: Response,
  formAction: readonly string[] = ["'none'"],
): void {
  pageSecurityHeaders({ formAction, inlineStyle: PAGE_STYLE })(req, res, () => undefined);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Frame-Options', 'DENY');
}
