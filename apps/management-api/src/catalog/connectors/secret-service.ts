import type { ConnectorId } from '@legate/ids';
import { notFound, type Problem, validationFailed } from '@legate/service';
import type { Change } from '../../changes/change.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { VersionCheck } from '../../domain/stored.ts';
import type { LifeCycle } from '../resources/life-cycle.ts';
import { type Connector, type ListConnectors, settingsOf } from './connector.ts';
import { needsSecret, secretUse, whyNoSecret } from './rules.ts';
import { auditedChanges, kindOfOwn, ownSecretOnly, type SecretEdit } from './secret-edit.ts';
import { faultOfSecret, type SecretFault } from './service-secret.ts';
import type { ConnectorStore, SecretChanges } from './store.ts';

/**
 * Sets and removes the secret of a connector's own method.
 * @param deps.seal returns the value to store after an edit
 */
export function createConnectorSecrets(deps: {
  lifeCycle: LifeCycle<Connector, ListConnectors>;
  store: Pick<ConnectorStore, 'update'>;
  seal: (edit: SecretEdit, change: Change, connectorId: ConnectorId) => SecretChanges;
  clock: () => Date;
}) {
  const { lifeCycle, store, seal, clock } = deps;
  return {
    /** @throws {Problem} 409 `secret_not_applicable`, 400 for a secret that the method cannot use */
    async putSecret(change: Change, id: ConnectorId, check: VersionCheck, secret: string) {
      const { value: connector } = await lifeCycle.lock(change, id, check);
      if (secretUse(connector) === 'none') {
        throw problem('secret_not_applicable', { detail: whyNoSecret(connector.auth_method) });
      }
      const fault = faultOfSecret(kindOfOwn(connector), secret, clock());
      if (fault) throw secretRefused(fault);
      const edit = ownSecretOnly(connector, secret);
      await store.update(change, id, settingsOf(connector), seal(edit, change, id));
      await lifeCycle.record(change, 'connector.secret_set', connector, auditedChanges(edit));
    },
    /** @throws {Problem} 409 `secret_required` for an enabled connector */
    async removeSecret(change: Change, id: ConnectorId, check: VersionCheck) {
      const { value: connector } = await lifeCycle.lock(change, id, check);
      if (!connector.has_secret) throw notFound('The connector has no secret.');
      if (connector.enabled && needsSecret(connector)) {
        throw problem('secret_required', {
          detail: 'An enabled connector needs its secret. Send enabled: false first.',
        });
      }
      const edit = ownSecretOnly(connector, undefined);
      await store.update(change, id, settingsOf(connector), seal(edit, change, id));
      await lifeCycle.record(change, 'connector.secret_removed', connector, auditedChanges(edit));
    },
  };
}

const secretRefused = ({ code, detail }: SecretFault): Problem =>
  validationFailed([{ pointer: '/secret', code, detail }]);
