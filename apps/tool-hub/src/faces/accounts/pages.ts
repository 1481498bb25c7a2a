import { createViews } from '@legate/service';
import type { Request, Response } from 'express';
import { STYLE, sendPage } from '../pages/page.ts';
import { CONNECT_FAULTS, type ConnectFaultCode } from './fault.ts';

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

export const sendDone = (req: Request, res: Response): void => sendPage(req, res, 200, DONE);
export const sendDeclined = (req: Request, res: Response): void => sendPage(req, res, 200, DECLINED);
export const sendFault = (req: Request, res: Response, code: ConnectFaultCode): void =>
  sendPage(req, res, CONNECT_FAULTS[code].status, FAULTS[code] ?? DECLINED);
