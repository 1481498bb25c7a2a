import { createViews, pageSecurityHeaders } from '@legate/service';
import type { Request, Response } from 'express';
import { CONNECT_FAULTS, type ConnectFaultCode } from './fault.ts';

/** Inside the page, so that there is no further address. The card and the colours of the other pages' sign-in. */
const STYLE = `
:root { color-scheme: light dark; --background: #f3f4f7; --card: #ffffff; --text: #1b1f27; }
@media (prefers-color-scheme: dark) { :root { --background: #12151b; --card: #1c2129; --text: #eef1f6; } }
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: 1.5rem 1rem; display: flex; align-items: center; justify-content: center;
  background: var(--background); color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main {
  width: 100%; max-width: 28rem; padding: 1.75rem; background: var(--card); border-radius: .75rem;
  box-shadow: 0 1px 3px rgb(0 0 0 / .16), 0 8px 24px rgb(0 0 0 / .08);
}
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0; }
`;

/** No form, no script, no frame. */
const securityHeaders = pageSecurityHeaders({ formAction: ["'none'"], inlineStyle: STYLE });

/** All text is ours: no page contains data of a request or of a peer. */
const views = createViews({
  page: `<% layout('@shell') %>
<main>
<h1><%= it.title %></h1>
<p><%= it.text %></p>
</main>
`,
});

const page = (title: string, text: string): string =>
  views.render('page', { title, text, titleBar: `${title} · Legate`, style: STYLE });

const DONE = page('You are connected', 'You can close this page and go back to your application.');
const DECLINED = page('You are not connected', 'You have not allowed it. Nothing has changed.');

const FAULTS = Object.fromEntries(
  Object.entries(CONNECT_FAULTS).map(([code, { title, text }]) => [code, page(title, text)]),
);

export const sendDone = (req: Request, res: Response): void => send(req, res, 200, DONE);
export const sendDeclined = (req: Request, res: Response): void => send(req, res, 200, DECLINED);
export const sendFault = (req: Request, res: Response, code: ConnectFaultCode): void =>
  send(req, res, CONNECT_FAULTS[code].status, FAULTS[code] ?? DECLINED);

function send(req: Request, res: Response, status: number, html: string): void {
  securityHeaders(req, res, () => undefined);
  res.set({ 'Cache-Control': 'no-store', 'X-Frame-Options': 'DENY' });
  res.status(status).type('html').send(html);
}
