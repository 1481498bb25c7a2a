import { methodFacts } from '@legate/delegation/methods';
import type { FieldChanges } from '../../domain/audit-event.ts';
import type { Connector, ConnectorSettings } from './connector.ts';
import { isService } from './methods.ts';
import { provesByKey, type SettingsFacts } from './rules.ts';
import type { SecretCipher, SecretPlace } from './secret-cipher.ts';
import { faultOfSecret, type SecretKind } from './service-secret.ts';
import type { SecretChange, SecretChanges } from './store.ts';

/** A value for each of the two secrets of a connector: that of its method, and that of `service` as a fallback. */
export interface OfBothSecrets<Something> {
  readonly own: Something;
  readonly fallback: Something;
}

type Which = keyof OfBothSecrets<unknown>;

/** The effect of a request on the secrets of a connector. */
export interface SecretEdit {
  /** True if the connector has a secret before the change */
  readonly before: OfBothSecrets<boolean>;
  /** The new secrets in the request */
  readonly sent: OfBothSecrets<string | undefined>;
  /** True if an existing secret may stay, unless the request replaces it */
  readonly mayStay: OfBothSecrets<boolean>;
}

/** Returns the secrets of a new connector: only those in the request. */
export const firstSecrets = (sent: SecretEdit['sent']): SecretEdit => ({
  before: { own: false, fallback: false },
  sent,
  mayStay: { own: false, fallback: false },
});

/** Replaces the connector's own secret, or removes it if none is sent; the fallback's secret stays. */
export const ownSecretOnly = (connector: Connector, own: string | undefined): SecretEdit => ({
  before: secretsOf(connector),
  sent: { own, fallback: undefined },
  mayStay: { own: false, fallback: true },
});

export const secretsOf = (connector: Connector): OfBothSecrets<boolean> => ({
  own: connector.has_secret,
  fallback: connector.has_fallback_secret,
});

/** Returns the facts of a secret that the rules need. */
export function factsOf(
  edit: SecretEdit,
  wanted: ConnectorSettings,
  now: Date,
): Pick<SettingsFacts, 'secret' | 'fallbackSecret'> {
  const facts = (which: Which, kind: SecretKind) => {
    const sent = edit.sent[which];
    return {
      isThere: isThereAfterwards(edit, which),
      isSent: sent !== undefined,
      fault: sent === undefined ? undefined : faultOfSecret(kind, sent, now),
    };
  };
  return { secret: facts('own', kindOfOwn(wanted)), fallbackSecret: facts('fallback', wanted.service_kind) };
}

/** Returns the kind of the connector's own secret */
export function kindOfOwn(settings: ConnectorSettings): SecretKind {
  if (isService(methodFacts(settings.auth_method))) return settings.service_kind;
  return provesByKey(settings) ? 'private_key' : null;
}

/** Returns the changes to the stored secrets. @throws {Problem} 503 `secrets_unavailable` */
export function toStore(
  edit: SecretEdit,
  { place, cipher, now }: { place: SecretPlace; cipher: SecretCipher; now: Date },
): SecretChanges {
  const change = (which: Which, of?: 'fallback'): SecretChange => {
    const sent = edit.sent[which];
    if (sent !== undefined) return { sealed: cipher.seal({ ...place, of }, sent), at: now };
    return edit.mayStay[which] ? 'keep' : 'drop';
  };
  return { secret: change('own'), fallbackSecret: change('fallback', 'fallback') };
}

/** Returns the changes for the audit trail, which contain only whether a secret exists, and that it changed. */
export function auditedChanges(edit: SecretEdit): FieldChanges {
  const changesOf = (which: Which, field: string): FieldChanges => {
    const [before, after] = [edit.before[which], isThereAfterwards(edit, which)];
    if (before === after && edit.sent[which] === undefined) return {};
    return { [field]: { from: before ? REDACTED : null, to: after ? REDACTED : null } };
  };
  return { ...changesOf('own', 'secret'), ...changesOf('fallback', 'fallback_secret') };
}

const REDACTED = '[redacted]';

const isThereAfterwards = (edit: SecretEdit, which: Which): boolean =>
  edit.sent[which] !== undefined || (edit.before[which] && edit.mayStay[which]);
