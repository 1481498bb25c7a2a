import type {
  ConnectorClientAuth,
  MethodConfiguration,
  NamedSettings,
} from '../../domain/method-settings.ts';
import { idJag } from './facts.ts';

export interface IdJagSettings extends NamedSettings {
  readonly method: typeof idJag.name;
  /** Our client at the tool server's authorization server; the ID-JAG's `client_id` must be this one. */
  readonly clientId: string;
  readonly clientAuth: ConnectorClientAuth;
  /** The only authorization server to which our credentials may go; undefined: the one at the tool server's own origin */
  readonly issuer: string | undefined;
  /** `audience` of the token exchange, if the derived one is wrong for this identity provider. */
  readonly audience: string | undefined;
}

export const idJagConfiguration: MethodConfiguration<IdJagSettings> = {
  read(fields) {
    const { issuer, audience } = fields;
    return { method: idJag.name, ...fields.client(), issuer, audience };
  },
  clientOf: ({ clientId, issuer, audience }) => [idJag.name, clientId, issuer, audience],
};
