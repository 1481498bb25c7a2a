import { PAGE_STYLE, pageSecurityHeaders } from '@legate/service';
import type { Request, Response } from 'express';

/** The style of all pages, and what those of the hub have besides: questions and forms. */
export const STYLE = `${PAGE_STYLE}
p + p, form, p.actions { margin-top: 1rem; }
dl { margin: 1.25rem 0 0; display: grid; gap: .75rem; }
dt { color: var(--soft); font-size: .875rem; }
dd { margin: 0; overflow-wrap: anywhere; font-weight: 600; }
dd.address { font-weight: 400; }
dd.address strong { font-weight: 700; }
.warning { margin-top: 1.25rem; color: var(--warning); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; }
button, a.main {
  flex: 1 1 8rem; min-height: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--text); background: transparent; border: 1px solid var(--soft); border-radius: .5rem;
}
a.main { display: grid; place-content: center; text-decoration: none; }
button.main, a.main { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.other { margin-top: 1rem; text-align: center; }
.other a { display: inline-block; padding: .5rem; color: var(--accent); font-weight: 600; }
`;

/**
 * Sends a page without script that nobody may frame or keep.
 * @param formAction where its forms may lead, redirects included; default: it has none
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

/** The same headers for a page that somebody else sends. */
export function setPageHeaders(
  req: Request,
  res: Response,
  formAction: readonly string[] = ["'none'"],
): void {
  pageSecurityHeaders({ formAction, inlineStyle: STYLE })(req, res, () => undefined);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Frame-Options', 'DENY');
}
