import type { ConnectorSettings } from './connector.ts';
import { isExchange, methodsUsed, namesOf, only } from './methods.ts';

type Refuse = (pointer: string, code: string, detail: string) => void;

const EXCHANGES = only(namesOf(isExchange));

/** Checks the audience of the tokens that a user's access token is exchanged for. */
export function checkExchange(wanted: ConnectorSettings, refuse: Refuse): void {
  const { exchange_audience: audience, token_audience, resource_url } = wanted;
  const exchange = methodsUsed(wanted).find(isExchange);
  if (!exchange) {
    if (audience !== null) refuse('/exchange_audience', 'not_applicable', EXCHANGES);
    if (token_audience !== null) refuse('/token_audience', 'not_applicable', EXCHANGES);
    return;
  }
  if (audience === null)
    refuse('/exchange_audience', 'required', `Required for the method ${exchange.name}.`);
  else if ((token_audience ?? audience) !== resource_url && !wanted.acknowledge_shared_audience)
    refuse(
      '/acknowledge_shared_audience',
      'shared_audience_not_acknowledged',
      'Other servers may accept a token whose aud is not resource_url: say true.',
    );
}
