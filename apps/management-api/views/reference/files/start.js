import { nameControls } from './accessibility.js';
import { signInRedirectUrl, signInWith, withoutOwnHeader } from './sign-in.js';

// Swagger UI has a dark mode, and leaves it to the page when to show it.
const scheme = window.matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', scheme.matches);
scheme.addEventListener('change', follow);
follow();

const element = document.getElementById('reference');
nameControls(element);
const ui = window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: false, // its links are inside buttons, which screen readers cannot tell apart
  validatorUrl: null, // an external service, which would get the address of this page
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false, // tokens are in memory only
  oauth2RedirectUrl: signInRedirectUrl(),
  requestInterceptor: withoutOwnHeader,
  onComplete() {
    if (element.dataset.clientId) signInWith(ui, element.dataset);
    openOperation();
  },
});

/** Opens the operation that the address names: `#/Sites/listSites`. */
function openOperation() {
  const [, tag, operationId] = location.hash.split('/').map(decodeURIComponent);
  if (!operationId) return;
  ui.layoutActions.show(['operations-tag', tag], true);
  ui.layoutActions.show(['operations', tag, operationId], true);
  requestAnimationFrame(() => document.getElementById(`operations-${tag}-${operationId}`)?.scrollIntoView());
}
