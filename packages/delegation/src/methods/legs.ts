/** What a new delegation asks for: an ID-JAG at the identity provider, an access token at the tool server. */
export type Leg = 'exchange' | 'redemption';

/** Does `work`, and tells how long it took and how it ended. */
export type MeasureLeg = <Result extends { readonly outcome: string }>(
  leg: Leg,
  work: () => Promise<Result>,
) => Promise<Result>;
