import { createViews, PAGE_STYLE } from '@legate/service';
import { formActionOf, redirectHostOf } from '@legate/service/outbound';
import type { Request, Response } from 'express';
import { sendPage } from '../pages/page.ts';
import type { ConsentRequest } from './consents.ts';
import { keptOutText } from './kept-out-text.ts';
import { type ShownAddress, shownAddress } from './shown-address.ts';
import type { ShownNames } from './shown-names.ts';

/** Text of clients and of users is data, which `<%= … %>` escapes. */
const views = createViews({
  keptOut: `<% layout('@shell') %>
<main>
<h1><%= it.title %></h1>
<p><%= it.text %></p>
<form method="post" action="<%= it.action %>">
<input type="hidden" name="token" value="<%= it.token %>">
<button name="decision" value="deny">Back to the application</button>
</form>
<p><a href="<%= it.otherAccount %>">Use another account</a></p>
</main>
`,
  consent: `<% layout('@shell') %>
<main>
<h1>Let <%= it.client %> use your tools?</h1>
<p>It will be able to call tools as you, and to see their results, until you revoke this.</p>
<dl>
<% for (const { term, shown } of it.rows) { %>
<dt><%= term %></dt>
<% if (typeof shown === 'string') { %>
<dd><%= shown %></dd>
<% } else { %>
<dd><%= shown.before %><strong><%= shown.host %></strong><%= shown.after %></dd>
<% } %>
<% } %>
</dl>
<% if (it.warning) { %>
<p class="alert"><%= it.warning %></p>
<% } %>
<form method="post" action="<%= it.action %>">
<input type="hidden" name="token" value="<%= it.token %>">
<button name="decision" value="allow">Allow</button>
<button class="quiet" name="decision" value="deny">Deny</button>
</form>
<p><a href="<%= it.otherAccount %>">Use another account</a></p>
</main>
`,
});

interface FormOf {
  /** Path to which the form is sent */
  readonly action: string;
  /** Path of a link to sign in again; not a form, because CSP would block its redirect to the identity provider */
  readonly otherAccount: string;
  readonly token: string;
}

export function sendKeptOut(
  req: Request,
  res: Response,
  why: { readonly code: string; readonly claims?: readonly string[] | undefined },
  page: FormOf & { readonly redirectUri: string },
): void {
  const { title, text } = keptOutText(why.code, why.claims);
  const html = views.render('keptOut', { title, text, ...page, ...shellOf(title) });
  sendPage(req, res, 403, html, ["'self'", formActionOf(page.redirectUri)]);
}

export function sendConsent(
  req: Request,
  res: Response,
  { request, names }: { readonly request: ConsentRequest; readonly names: ShownNames },
  page: FormOf & { readonly mcpResource: string; readonly lifetimeSeconds: number },
): void {
  const { client, agentId, user, redirectUri, resource } = request;
  const isProgram = redirectHostOf(redirectUri) === undefined;
  const html = views.render('consent', {
    client: client.name ?? 'an application without a name',
    rows: [
      { term: 'Who vouches for it', shown: voucherOf(client, names.organization ?? user.organizationId) },
      {
        term: 'Where you will be sent',
        shown: isProgram ? 'An application on this computer' : shownAddress(redirectUri),
      },
      { term: 'You', shown: user.shownName ?? user.userId },
      { term: 'Organization', shown: names.organization ?? user.organizationId },
      ...(agentId === undefined ? [] : [{ term: 'Agent', shown: names.agent ?? agentId }]),
      {
        term: 'Tools',
        shown:
          resource === page.mcpResource
            ? `All that your organization allows ${agentId === undefined ? 'you' : 'the agent'} to use`
            : `Those of ${names.connector ?? resource}`,
      },
      {
        term: 'For how long',
        shown: `At most ${Math.ceil(page.lifetimeSeconds / 86_400)} days, after which you will be asked again`,
      },
    ] satisfies readonly Row[],
    warning: isProgram
      ? 'Any program on this computer could claim to be this application. Allow it only if you have just started the sign-in yourself.'
      : undefined,
    ...page,
    ...shellOf('Allow an application'),
  });
  sendPage(req, res, 200, html, ["'self'", formActionOf(redirectUri)]);
}

interface Row {
  readonly term: string;
  readonly shown: string | ShownAddress;
}

const shellOf = (title: string) => ({ titleBar: `${title} · Legate`, style: PAGE_STYLE });

/** @param organization the user's organization; a client of another organization is refused before this page */
function voucherOf({ clientId, vouchedBy }: ConsentRequest['client'], organization: string): Row['shown'] {
  switch (vouchedBy.kind) {
    case 'operator':
      return 'Registered by the operator of this service';
    case 'organization':
      return `Registered by ${organization}`;
    case 'document':
      return shownAddress(clientId);
    case 'nobody':
      return 'Nobody vouches for this name: the application registered itself';
  }
}
