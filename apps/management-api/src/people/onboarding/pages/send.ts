import { pageSecurityHeaders } from '@legate/service';
import type { Request, Response } from 'express';

/** `'self'` is enough: Chromium applies `form-action` to redirects too, and all of ours end at our own pages. */
const securityHeaders = pageSecurityHeaders({ formAction: ["'self'"] });

/** Sends a page that is not cached: the back button must not show a form of a completed step. */
export function sendPage(req: Request, res: Response, status: number, page: string): void {
  securityHeaders(req, res, () => undefined);
  res.set({ 'Cache-Control': 'no-store', 'X-Frame-Options': 'DENY' });
  res.status(status).type('html').send(page);
}
