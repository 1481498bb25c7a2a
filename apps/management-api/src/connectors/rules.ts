import type { FieldProblem } from '@legate/service';
import { validationFailed } from '../api/validation.ts';
import type { Connector, ConnectorMetadata, ConnectorSettings } from './connector.ts';
import type { ResourceUrlFault } from './resource-url.ts';

/** Methods by which the hub shows a secret of its own. */
export const takesSecret = (method: Connector['auth_method']): boolean =>
  method === 'id-jag' || method === 'service';

/**
 * A secret is for one tool server and one use of it. Kept over a change of those, it would be sent to whomever an
 * administrator names next, who could so read what is write-only.
 */
export const secretOutlives = (before: ConnectorSettings, after: ConnectorSettings): boolean =>
  before.resource_url === after.resource_url &&
  before.auth_method === after.auth_method &&
  before.service_kind === after.service_kind;

const URL_DETAIL: Record<ResourceUrlFault, string> = {
  invalid_format: 'An absolute https URL without user or fragment.',
  resource_url_forbidden: 'Must be https, and lead to a public address.',
};

/**
 * Rules over more than one field.
 * @param facts.hasSecret after the change
 * @param facts.sendsSecret the request holds one
 * @param facts.metadata of the resource, where it is known and the scopes are new
 * @throws {Problem} 400 `validation_failed`, with every rule that is broken
 */
export function checkSettings(
  wanted: ConnectorSettings,
  facts: {
    hasSecret: boolean;
    sendsSecret: boolean;
    metadata: ConnectorMetadata | null;
    urlFault: ResourceUrlFault | undefined;
  },
): void {
  const errors: FieldProblem[] = [];
  const refuse = (pointer: string, code: string, detail: string) => errors.push({ pointer, code, detail });
  const method = wanted.auth_method;

  if (facts.urlFault) refuse('/resource_url', facts.urlFault, URL_DETAIL[facts.urlFault]);
  if (method === 'service' && wanted.service_kind === null) {
    refuse('/service_kind', 'required', 'Required for the method service.');
  }
  if (method !== 'service' && wanted.service_kind !== null) {
    refuse('/service_kind', 'not_applicable', 'For the method service only.');
  }
  if ((method === 'id-jag' || method === 'oauth-pkce') && wanted.client_id === null) {
    refuse('/client_id', 'required', `Required for the method ${method}.`);
  }
  if (method === 'passthrough' && !wanted.acknowledge_legacy) {
    refuse(
      '/acknowledge_legacy',
      'legacy_not_acknowledged',
      'passthrough bypasses audience scoping: say true.',
    );
  }
  if (!takesSecret(method)) {
    if (facts.sendsSecret) refuse('/secret', 'secret_not_applicable', `The method ${method} has no secret.`);
    if (wanted.discovery.auth === 'secret') {
      refuse('/discovery/auth', 'secret_not_applicable', `The method ${method} has no secret.`);
    }
  } else if (wanted.enabled && !facts.hasSecret) {
    refuse('/secret', 'required', 'Send a secret, or enabled: false.');
  }
  const supported = facts.metadata?.scopes_supported;
  wanted.scopes.forEach((scope, index) => {
    if (supported && !supported.includes(scope)) {
      refuse(`/scopes/${index}`, 'scope_not_supported', 'The tool server does not list this scope.');
    }
  });
  if (errors.length > 0) throw validationFailed(errors);
}
