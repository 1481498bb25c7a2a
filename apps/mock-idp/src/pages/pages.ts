import { createViews } from '@legate/service';

export const STYLE_PATH = '/assets/style.css';

export type Pages = ReturnType<typeof createPages>;
type SignInFault = 'wrong' | 'too_many';

interface SignInPage {
  readonly interactionId: string;
  readonly clientName: string;
  readonly email?: string | undefined;
  readonly fault?: SignInFault;
}

const SIGN_IN_FAULTS: Readonly<Record<SignInFault, string>> = {
  wrong: 'E-mail address or password is wrong.',
  too_many: 'Too many attempts. Wait a quarter of an hour, then start again from the application.',
};

/**
 * Pages that show one card. They work without scripts and load only the style sheet. The templates escape names and
 * addresses.
 */
export function createPages() {
  const views = createViews(TEMPLATES);
  const render = (view: string, title: string, page: object, titleBar = title) =>
    views.render(view, {
      ...page,
      title,
      titleBar: `${titleBar} · Legate identity provider`,
      stylesheet: STYLE_PATH,
    });
  return {
    signIn: ({ fault, ...page }: SignInPage) =>
      render(
        'sign-in',
        'Sign in',
        { ...page, fault: fault && SIGN_IN_FAULTS[fault], isWrong: fault === 'wrong' },
        fault && 'Error: Sign in', // a screen reader announces the title first, so it begins with the error
      ),
    /** @param form the form of oidc-provider, with its CSRF token; the buttons refer to it by its id */
    signOut: (clientName: string | undefined, form: string) =>
      render('sign-out', 'Sign out?', { clientName, form }),
    signedOut: () => render('signed-out', 'Signed out', {}),
    /** Shows only the error code, because a description may repeat what was sent. */
    error: (code: string) => render('error', 'The request failed', { code, explanation: EXPLANATIONS[code] }),
  };
}

const TEMPLATES = {
  card: `<% layout('@shell') %>
<main>
<h1><%= it.title %></h1>
<%~ it.body %>
</main>
<footer>Legate identity provider, for development and tests</footer>
`,
  // One form without script; errors are announced, and the fields refer to them (WCAG 2.2 §3.3.1, §4.1.3).
  'sign-in': `<% layout('@card') %>
<% const described = it.isWrong ? ' aria-invalid="true" aria-describedby="fault"' : '' %>
<p>to continue to <strong><%= it.clientName %></strong></p>
<% if (it.fault) { %>
<p class="alert" role="alert" id="fault"><%= it.fault %></p>
<% } %>
<form method="post" action="/interaction/<%= it.interactionId %>">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="<%= it.email ?? '' %>"<%~ described %><%~ it.email === undefined ? ' autofocus' : '' %>>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200"<%~ described %><%~ it.email === undefined ? '' : ' autofocus' %>>
<button type="submit">Sign in</button>
</form>
<form method="post" action="/interaction/<%= it.interactionId %>/cancel">
<button type="submit" class="quiet">Cancel</button>
</form>
`,
  'sign-out': `<% layout('@card') %>
<p><%= it.clientName ? it.clientName + ' asks: ' : '' %>Do you want to sign out of the identity provider? This ends your session for every application.</p>
<%~ it.form %>

<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
<button type="submit" form="op.logoutForm" class="quiet">Stay signed in</button>
`,
  'signed-out': `<% layout('@card') %>
<p>You are signed out. You can close this page.</p>
`,
  error: `<% layout('@card') %>
<p role="alert"><%= it.explanation ?? 'The request could not be processed. Go back to the application and try again.' %></p>
<p class="muted">Error code: <code><%= it.code %></code></p>
`,
};

const EXPLANATIONS: Readonly<Record<string, string>> = {
  invalid_client: 'The application is not registered here.',
  invalid_redirect_uri: 'The application asked to send you back to an address that is not registered for it.',
  invalid_request: 'The application sent a request that is invalid or has expired.',
  session_not_found:
    'This sign-in has expired, or was started in another browser. Go back to the application and start again.',
  temporarily_unavailable: 'The service is not available at the moment. Please try again in a few seconds.',
  server_error: 'Something went wrong on our side. Please try again.',
};
