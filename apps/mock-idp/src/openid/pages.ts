import type { Configuration, KoaContextWithOIDC } from '@legate/authorization-server';
import type { Directory } from '../directory/directory.ts';
import { formActionSources } from '../pages/form-action.ts';
import type { Pages } from '../pages/pages.ts';
import { pageHeaders } from '../pages/send.ts';

type Logout = NonNullable<NonNullable<Configuration['features']>['rpInitiatedLogout']>;

export interface ProviderPages {
  readonly error: NonNullable<Configuration['renderError']>;
  readonly logout: NonNullable<Logout['logoutSource']>;
  readonly loggedOut: NonNullable<Logout['postLogoutSuccessSource']>;
}

/** Renders in our style the pages that oidc-provider shows itself. */
export function createProviderPages(directory: Directory, pages: Pages): ProviderPages {
  return {
    error(ctx, out) {
      send(ctx, pages.error(out.error), ["'none'"]);
    },
    async logout(ctx, form) {
      const state = ctx.oidc.session?.state;
      const target =
        typeof state?.postLogoutRedirectUri === 'string' ? state.postLogoutRedirectUri : undefined;
      const client = ctx.oidc.client && (await directory.clients.find(ctx.oidc.client.clientId));
      send(ctx, pages.signOut(client?.name, form), formActionSources(target, client?.redirectOrigins));
    },
    loggedOut(ctx) {
      send(ctx, pages.signedOut(), ["'none'"]);
    },
  };
}

function send(ctx: KoaContextWithOIDC, body: string, formAction: readonly string[]): void {
  ctx.set(pageHeaders(formAction));
  ctx.body = body;
}
