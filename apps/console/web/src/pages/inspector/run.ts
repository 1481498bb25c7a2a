import type { Check, DoctorReport, ExaminedToken } from '../../api/types.ts';

/** Parts of a run, in order. */
const STEPS = ['sign_in', 'id_jag', 'access_token', 'call'] as const;
export type StepName = (typeof STEPS)[number];
export type StepState = 'passed' | 'failed' | 'not_reached' | 'not_used';

export interface RunStep {
  readonly name: StepName;
  readonly state: StepState;
  /** The check at which the run ended, if it is in this step */
  readonly fault: Check | undefined;
  /** The token that the step has obtained */
  readonly token: ExaminedToken | undefined;
}

/** The checks of the examination that belong to each step; the hub has checked the ID token before. */
const CHECKS: Readonly<Record<StepName, readonly Check['check'][]>> = {
  sign_in: [],
  id_jag: ['token_exchange', 'id_jag'],
  access_token: ['redemption'],
  call: ['tools_list'],
};
/** The token that each step obtains */
export const LEGS: Readonly<Record<StepName, ExaminedToken['leg'] | undefined>> = {
  sign_in: 'id_token',
  id_jag: 'id_jag',
  access_token: 'access_token',
  call: undefined,
};

/**
 * Returns how far a run got. A step has passed only if the hub has checked the token of the step.
 * @param usesIdJag false for a connector whose method has no ID-JAG
 */
export function runStepsOf(
  { checks, legs = [] }: Pick<DoctorReport, 'checks' | 'legs'>,
  usesIdJag: boolean,
): readonly RunStep[] {
  const statuses = new Map(checks.map((check) => [check.check, check]));
  return STEPS.map((name): RunStep => {
    const own = CHECKS[name].flatMap((check) => statuses.get(check) ?? []);
    const fault = own.find(({ status }) => status === 'fail');
    const token = legs.find(({ leg }) => leg === LEGS[name]);
    if (fault) return { name, state: 'failed', fault, token };
    const isSkipped = own.some(({ status }) => status === 'skipped') || own.length < CHECKS[name].length;
    if (!isSkipped) return { name, state: 'passed', fault: undefined, token };
    const isUsed = usesIdJag || name === 'call';
    return { name, state: isUsed ? 'not_reached' : 'not_used', fault: undefined, token };
  });
}

/** A claim, or a member of the header, in each token of a run. */
export interface ClaimRow {
  readonly name: string;
  readonly cells: readonly ClaimCell[];
}

export interface ClaimCell {
  readonly leg: ExaminedToken['leg'];
  readonly value: unknown;
  /** Comparison with the previous token: undefined for the first token that has the claim */
  readonly since: 'same' | 'changed' | undefined;
}

const FIRST = ['typ', 'iss', 'sub', 'organization_id', 'aud', 'resource', 'client_id', 'scope', 'exp', 'iat'];

/** Returns the claims of the tokens by name, the important ones first. */
export function claimRowsOf(legs: readonly ExaminedToken[]): readonly ClaimRow[] {
  const said = legs.map((token) => ({ leg: token.leg, members: { ...token.header, ...token.claims } }));
  const names = [...new Set(said.flatMap(({ members }) => Object.keys(members)))];
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return names
    .toSorted((one, other) => rank(one) - rank(other))
    .map((name) => ({ name, cells: cellsOf(name, said) }));
}

interface Said {
  readonly leg: ExaminedToken['leg'];
  readonly members: Readonly<Record<string, unknown>>;
}

function cellsOf(name: string, said: readonly Said[]): readonly ClaimCell[] {
  const having = said.filter(({ members }) => Object.hasOwn(members, name));
  return having.map(({ leg, members }, index) => {
    const before = having[index - 1];
    const value = members[name];
    const isSame = before && JSON.stringify(before.members[name]) === JSON.stringify(value);
    return { leg, value, since: before && (isSame ? 'same' : 'changed') };
  });
}

const TIMES = ['exp', 'iat', 'nbf', 'auth_time'];

/** Returns a claim as an instant, if it is a time (RFC 7519 §2, NumericDate). */
export function instantOf(name: string, value: unknown): string | undefined {
  if (!TIMES.includes(name) || typeof value !== 'number') return undefined;
  const date = new Date(value * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
