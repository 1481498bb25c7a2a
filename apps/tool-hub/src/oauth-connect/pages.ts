import { pageSecurityHeaders } from '@legate/service';
import type { Request, Response } from 'express';
import { CONNECT_FAULTS, type ConnectFaultCode } from './fault.ts';

/** No form, no script, no style, no frame. */
const securityHeaders = pageSecurityHeaders({ formAction: ["'none'"] });

/** All text is ours: nothing that came with a request, or from a peer, is ever part of a page. */
const page = (title: string, text: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;

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
