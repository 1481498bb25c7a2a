import type { Directory } from '../directory/directory.ts';
import { formActionSources } from '../pages/form-action.ts';
import { Html, html } from '../pages/html.ts';
import { page } from '../pages/layout.ts';
import { pageHeaders } from '../pages/send.ts';
import type { Configuration, KoaContextWithOIDC } from './oidc-provider.ts';

type Logout = NonNullable<NonNullable<Configuration['features']>['rpInitiatedLogout']>;

export interface ProviderPages {
  readonly error: NonNullable<Configuration['renderError']>;
  readonly logout: NonNullable<Logout['logoutSource']>;
  readonly loggedOut: NonNullable<Logout['postLogoutSuccessSource']>;
}

/** The pages that oidc-provider shows by itself, in our style. */
export function createProviderPages(directory: Directory): ProviderPages {
  return {
    error(ctx, out) {
      send(ctx, errorPage(out.error), ["'none'"]);
    },
    async logout(ctx, form) {
      const state = ctx.oidc.session?.state;
      const target =
        typeof state?.postLogoutRedirectUri === 'string' ? state.postLogoutRedirectUri : undefined;
      const client = ctx.oidc.client && (await directory.clients.find(ctx.oidc.client.clientId));
      send(ctx, logoutPage(client?.name, new Html(form)), formActionSources(target, client?.redirectOrigins));
    },
    loggedOut(ctx) {
      send(ctx, page('Signed out', html`<p>You are signed out. You can close this page.</p>`), ["'none'"]);
    },
  };
}

function send(ctx: KoaContextWithOIDC, body: string, formAction: readonly string[]): void {
  ctx.set(pageHeaders(formAction));
  ctx.body = body;
}

/** @param form oidc-provider's own, with its token against forged requests; the buttons belong to it by its id */
function logoutPage(clientName: string | undefined, form: Html): string {
  return page(
    'Sign out?',
    html`<p>${clientName && `${clientName} asks: `}Do you want to sign out of the identity provider? This ends your session for every application.</p>
${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
<button type="submit" form="op.logoutForm" class="quiet">Stay signed in</button>`,
  );
}

/** The code only: descriptions may repeat what was sent. */
export function errorPage(code: string): string {
  return page(
    'This did not work',
    html`<p role="alert">${EXPLANATIONS[code] ?? 'The request could not be answered. Go back to the application and try again.'}</p>
<p class="muted">Error code: <code>${code}</code></p>`,
  );
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  invalid_client: 'The application is not registered here.',
  invalid_redirect_uri: 'The application asked to send you back to an address that is not registered for it.',
  invalid_request: 'The application sent a request that cannot be understood, or that has expired.',
  session_not_found:
    'This sign-in has expired or was begun in another browser. Go back to the application and start again.',
  temporarily_unavailable: 'We cannot answer at the moment. Please try again in a few seconds.',
  server_error: 'Something went wrong on our side. Please try again.',
};
