import { pageSecurityHeaders } from '@legate/service';
import type { Request, Response } from 'express';

/** Inside the page, so that there is no further address. The card and the colours of the other pages' sign-in. */
export const STYLE = `
:root {
  color-scheme: light dark; --background: #f3f4f7; --card: #ffffff; --text: #1b1f27; --soft: #555d6b; --line: #d5d9e0;
  --accent: #1d4ed8; --on-accent: #ffffff; --warning: #8a4b00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: #12151b; --card: #1c2129; --text: #eef1f6; --soft: #aab3c0; --line: #3a424f;
    --accent: #8ab4ff; --on-accent: #0b1220; --warning: #ffc37a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: 1.5rem 1rem; display: flex; align-items: center; justify-content: center;
  background: var(--background); color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main {
  width: 100%; max-width: 28rem; padding: 1.75rem; background: var(--card); border-radius: .75rem;
  box-shadow: 0 1px 3px rgb(0 0 0 / .16), 0 8px 24px rgb(0 0 0 / .08);
}
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
p { margin: 0; }
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
button:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
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
