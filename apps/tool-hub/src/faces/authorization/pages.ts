import { createViews } from '@legate/service';
import { formActionOf, redirectHostOf } from '@legate/service/outbound';
import type { Request, Response } from 'express';
import { STYLE, sendPage } from '../pages/page.ts';
import type { ConsentRequest } from './consents.ts';
import { type AuthorizationFaultCode, FAULTS, keptOutText } from './faults.ts';

/** Text of clients and of users is data: `<%= … %>` escapes it. */
const views = createViews({
  fault: `<% layout('@shell') %>
<main>
<h1><%= it.title %></h1>
<p><%= it.text %></p>
</main>
`,
  keptOut: `<% layout('@shell') %>
<main>
<h1><%= it.title %></h1>
<p><%= it.text %></p>
<form method="post" action="<%= it.action %>">
<input type="hidden" name="token" value="<%= it.token %>">
<div class="actions">
<button class="main" name="decision" value="deny">Back to the application</button>
</div>
</form>
<p class="other"><a href="<%= it.otherAccount %>">Use another account</a></p>
</main>
`,
  consent: `<% layout('@shell') %>
<main>
<h1>Let <%= it.client %> use your tools?</h1>
<p>It can call tools as you until you revoke it, and sees what they answer.</p>
<dl>
<div><dt>Who vouches for it</dt><dd><%= it.voucher %></dd></div>
<div><dt>Where the answer goes</dt><dd><%= it.destination %></dd></div>
<div><dt>You</dt><dd><%= it.user %></dd></div>
<div><dt>Organization</dt><dd><%= it.organization %></dd></div>
<% if (it.agent) { %>
<div><dt>Agent</dt><dd><%= it.agent %></dd></div>
<% } %>
<div><dt>Tools</dt><dd><%= it.tools %></dd></div>
<div><dt>For how long</dt><dd><%= it.duration %></dd></div>
</dl>
<% if (it.warning) { %>
<p class="warning"><%= it.warning %></p>
<% } %>
<form method="post" action="<%= it.action %>">
<input type="hidden" name="token" value="<%= it.token %>">
<div class="actions">
<button class="main" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</div>
</form>
<p class="other"><a href="<%= it.otherAccount %>">Use another account</a></p>
</main>
`,
});

interface FormOf {
  /** Path to which the form is sent */
  readonly action: string;
  /** Path that leads to another sign-in: a link, because a form may not lead to wherever the provider redirects (CSP) */
  readonly otherAccount: string;
  readonly token: string;
}

export const sendFault = (req: Request, res: Response, code: AuthorizationFaultCode): void =>
  sendPage(req, res, FAULTS[code].status, faultPage(code));

export function faultPage(code: AuthorizationFaultCode): string {
  const { title, text } = FAULTS[code];
  return views.render('fault', { title, text, ...shellOf(title) });
}

export function sendKeptOut(
  req: Request,
  res: Response,
  code: string,
  page: FormOf & { readonly redirectUri: string },
): void {
  const { title, text } = keptOutText(code);
  const html = views.render('keptOut', { title, text, ...page, ...shellOf(title) });
  sendPage(req, res, 403, html, ["'self'", formActionOf(page.redirectUri)]);
}

export function sendConsent(
  req: Request,
  res: Response,
  request: ConsentRequest,
  page: FormOf & { readonly mcpResource: string; readonly lifetimeSeconds: number },
): void {
  const { client, agentId, user, redirectUri, resource } = request;
  const host = redirectHostOf(redirectUri);
  const html = views.render('consent', {
    client: client.name ?? 'an application without a name',
    voucher: voucherOf(client),
    destination: host ?? 'An application on this computer',
    user: user.email ?? user.userId,
    organization: user.organizationId,
    agent: agentId,
    tools: toolsOf(resource === page.mcpResource, agentId !== undefined, resource),
    duration: `At most ${Math.ceil(page.lifetimeSeconds / 86_400)} days, then you are asked again`,
    warning:
      host === undefined
        ? 'Any program on this computer could say that it is this application. Allow it only if you have just started the sign-in yourself.'
        : undefined,
    ...page,
    ...shellOf('Allow an application'),
  });
  sendPage(req, res, 200, html, ["'self'", formActionOf(redirectUri)]);
}

function toolsOf(isWhole: boolean, isAgent: boolean, resource: string): string {
  const whose = isAgent ? 'the agent' : 'you';
  return isWhole ? `All that your organization gives ${whose}` : `Those of ${resource}`;
}

const shellOf = (title: string) => ({ titleBar: `${title} · Legate`, style: STYLE });

function voucherOf({ vouchedBy }: ConsentRequest['client']): string {
  switch (vouchedBy.kind) {
    case 'registered':
      return 'Registered by your organization or the operator of this service';
    case 'document':
      return vouchedBy.host;
    case 'nobody':
      return 'Nobody vouches for this name: the application registered itself';
  }
}
