import { createViews, PAGE_STYLE } from '@legate/service';
import type { Request, Response } from 'express';
import { sendPage } from '../pages/page.ts';
import type { ConnectQuestion } from './connect-page.ts';

/** Text of connectors and of users is data, which `<%= … %>` escapes. All other text of the pages is constant. */
const views = createViews({
  page: `<% layout('@shell') %>
<main>
<h1><%= it.title %></h1>
<p><%= it.text %></p>
</main>
`,
  question: `<% layout('@shell') %>
<main>
<h1>Connect <%= it.name %>?</h1>
<p>You will be taken to its sign-in page, where you choose what your agents may do with your account.</p>
<dl>
<dt>Tool server</dt><dd><%= it.resource %></dd>
<dt>You</dt><dd><%= it.user %></dd>
<dt>Organization</dt><dd><%= it.organization %></dd>
<% if (it.scopes) { %>
<dt>Additional permissions</dt><dd><%= it.scopes %></dd>
<% } %>
</dl>
<p class="alert">Connect only if you have just requested this yourself.</p>
<a class="button" href="<%= it.accept %>" rel="nofollow">Continue</a>
</main>
`,
});

const page = (title: string, text: string): string =>
  views.render('page', { title, text, titleBar: `${title} · Legate`, style: PAGE_STYLE });

const DONE = page('You are connected', 'You can close this page and go back to your application.');
const DECLINED = page('You are not connected', 'You have not allowed it. Nothing has changed.');

export function sendQuestion(
  req: Request,
  res: Response,
  { connector, user, organizationId, scopes }: ConnectQuestion,
  accept: string,
): void {
  const { name, resource } = connector;
  const about = { name, resource, user, organization: organizationId, scopes: scopes.join(' '), accept };
  const html = views.render('question', {
    ...about,
    titleBar: 'Connect an account · Legate',
    style: PAGE_STYLE,
  });
  sendPage(req, res, 200, html);
}

export const sendDone = (req: Request, res: Response): void => sendPage(req, res, 200, DONE);
export const sendDeclined = (req: Request, res: Response): void => sendPage(req, res, 200, DECLINED);
