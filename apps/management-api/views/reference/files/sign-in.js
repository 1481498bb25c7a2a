/** The registered redirect URI, also where the page is read without a version. */
export const signInRedirectUrl = () =>
  `${location.origin}${location.pathname.replace(/\/api\/docs$/, '/api/v1/docs')}/oauth2-redirect.html`;

/**
 * Removes what Swagger UI adds to its request to the token endpoint: browsers would ask the provider first whether it
 * allows this header, and few do.
 */
export function withoutOwnHeader(request) {
  delete request.headers?.['X-Requested-With'];
  return request;
}

/** Lets readers sign in with PKCE. They choose what the token may do; at first it only reads. */
export function signInWith(ui, { clientId, resource }) {
  ui.initOAuth({
    clientId,
    scopes: scopesOf(ui).filter((scope) => scope.endsWith(':read')),
    usePkceWithAuthorizationCodeGrant: true,
    additionalQueryStringParams: { resource }, // RFC 8707
  });
  // The provider's page may have cut the popup off from this window (Cross-Origin-Opener-Policy), so that it answers by a
  // channel, which only pages of this origin can use.
  const channel = new BroadcastChannel('legate-reference-sign-in');
  channel.onmessage = ({ data }) => finishSignIn(new URLSearchParams(data), channel);
}

function finishSignIn(answer, channel) {
  const pending = window.swaggerUIRedirectOauth2; // Swagger UI leaves it here when it opens the popup
  if (!pending || answer.get('state') !== pending.state) return; // another tab's
  window.swaggerUIRedirectOauth2 = undefined;
  const { auth, redirectUrl, callback, errCb } = pending;
  const code = answer.get('code');
  if (code) {
    auth.code = code;
    callback({ auth, redirectUrl });
  } else {
    const message = answer.get('error_description') ?? answer.get('error') ?? 'The provider sent no code.';
    errCb({ authId: auth.name, source: 'auth', level: 'error', message });
  }
  channel.postMessage('done');
}

const scopesOf = (ui) => {
  const { oauth2 } = ui.specSelectors.specJson().toJS().components.securitySchemes;
  return Object.keys(oauth2?.flows.authorizationCode.scopes ?? {});
};
