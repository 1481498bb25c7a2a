import { isExchange, methodsUsed, type UsedMethods } from './methods.ts';

export interface ExchangeValues extends UsedMethods {
  readonly resource_url: string;
  readonly exchange_audience: string;
  readonly token_audience: string;
  readonly acknowledge_shared_audience: boolean;
}

/** Returns true if an access token of the user is exchanged, by the method or by one of its fallbacks. */
export const asksExchange = (values: UsedMethods): boolean => methodsUsed(values).some(isExchange);

/** Returns true if servers other than the tool server may accept the tokens. */
export const isSharedAudience = ({
  resource_url,
  exchange_audience,
  token_audience,
}: Omit<ExchangeValues, keyof UsedMethods | 'acknowledge_shared_audience'>): boolean =>
  (token_audience.trim() || exchange_audience.trim()) !== resource_url.trim();

/** Returns the members of the request, without those that no method uses. */
export const exchangeMembers = (values: ExchangeValues) =>
  asksExchange(values)
    ? {
        exchange_audience: values.exchange_audience.trim() || null,
        token_audience: values.token_audience.trim() || null,
        acknowledge_shared_audience: isSharedAudience(values) && values.acknowledge_shared_audience,
      }
    : { exchange_audience: null, token_audience: null, acknowledge_shared_audience: false };
