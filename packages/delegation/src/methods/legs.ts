/** The requests of a new delegation: an ID-JAG from the identity provider, an access token from the tool server. */
export type Leg = 'exchange' | 'redemption';

/** Runs `work`, and reports its duration and outcome. */
export type MeasureLeg = <Result extends { readonly outcome: string }>(
  leg: Leg,
  work: () => Promise<Result>,
) => Promise<Result>;
