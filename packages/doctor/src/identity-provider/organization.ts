import { findKind, organizationOf } from '@legate/identity-providers';
import { TokenRefused } from '@legate/jwt';
import { type Evidence, ok, skipped, warn } from '../reports/report.ts';
import type { Claims, Leg } from './examination.ts';
import { MAX_LISTED } from './peer-text.ts';

/** Claims that never name an organization (OpenID Connect Core §2, §5.1; RFC 7519 §4.1) */
const OF_THE_USER_OR_TOKEN = new Set(
  [
    'iss sub aud exp iat nbf jti nonce at_hash c_hash s_hash auth_time acr amr azp sid typ ver scope scp',
    'name given_name family_name middle_name nickname preferred_username profile picture website email',
    'email_verified gender birthdate zoneinfo locale phone_number phone_number_verified address updated_at',
    'idp oid uti rh aio sub_id',
  ].flatMap((names) => names.split(' ')),
);

/** Claims by which a provider says that it left groups out because of their number */
const LEFT_OUT = ['_claim_names', 'hasgroups'];

/** Says what each rule would give for this user, with the claims that are there. */
export const organization: Leg = {
  check: 'organization',
  run({ target, facts, text }) {
    if (!facts.idToken) return skipped('Needs the ID token of a sign-in.');
    const claims = facts.idToken;
    const { organizationClaim } = findKind(facts.kind);
    const candidates = Object.keys(claims)
      .filter((name) => !OF_THE_USER_OR_TOKEN.has(name) && valuesOf(claims, name).length > 0)
      .slice(0, MAX_LISTED);
    const give = (name: string): string => {
      const values = valuesOf(claims, name);
      if (target.showsValues) return text.showClaim(values.join(', '));
      return values.length === 1 ? 'one value' : `${values.length} values`;
    };
    const evidence: Evidence = {
      [FIXED_RULE]: 'that organization, for every user',
      ...Object.fromEntries(
        candidates.flatMap((name) => {
          const shownName = text.show(name);
          const isOne = valuesOf(claims, name).length === 1;
          return [
            [rule({ claim: shownName }), isOne ? give(name) : `ambiguous: ${give(name)}`],
            [rule({ claim: shownName, map: '…' }), `the organization that the map has for ${give(name)}`],
          ];
        }),
      ),
      ...(LEFT_OUT.some((name) => name in claims) && { groups: 'left out by the provider: too many' }),
    };
    const fault = faultOf(organizationClaim, claims);
    if (fault === undefined) return ok(`The organization is in the claim ${organizationClaim}.`, evidence);
    const says = `${fault.says}, so a rule must say it.`;
    if (fault.rule === undefined) {
      const others = candidates.filter((name) => name !== organizationClaim);
      return warn(says, adviceFor(others, text.show), evidence);
    }
    facts.organizationRule = fault.rule;
    const advice = `Give each value that names an organization its id: ORGANIZATION_RULE=${fault.rule}`;
    return warn(says, advice, evidence);
  },
};

const rule = (value: object): string => JSON.stringify(value);

/** The rule for one company with a hub of its own, to be filled in */
export const FIXED_RULE = rule({ fixed: 'org_…' });

interface ClaimFault {
  readonly says: string;
  /** The rule that helps, to be filled in; undefined: none that reads this claim */
  readonly rule?: string;
}

/** Returns why the services find no organization in the claim of the kind; undefined if they do. */
function faultOf(claim: string | undefined, claims: Claims): ClaimFault | undefined {
  if (claim === undefined) return { says: 'The kind has no claim for the organization' };
  try {
    return organizationOf({ claim }, claims) === undefined
      ? { says: `The ID token has no claim ${claim}` }
      : undefined;
  } catch (err) {
    if (!(err instanceof TokenRefused)) throw err;
    const isAmbiguous = err.reason === 'organization_ambiguous';
    return {
      says: `The claim ${claim} ${isAmbiguous ? 'has several values' : 'is not the id of an organization'}`,
      ...(isMappable(claim, claims) && { rule: rule({ claim, map: { '…': 'org_…' } }) }),
    };
  }
}

/** A map can read every value whose names the services can tell. */
function isMappable(claim: string, claims: Claims): boolean {
  try {
    organizationOf({ claim, map: new Map() }, claims);
    return true;
  } catch {
    return false;
  }
}

function adviceFor(candidates: readonly string[], show: (name: string) => string): string {
  const one = `If all users are of one organization, name it: ORGANIZATION_RULE=${FIXED_RULE}`;
  const [first] = candidates;
  return first === undefined
    ? `${one}. Otherwise add a claim to ID tokens at the provider.`
    : `${one}. Otherwise choose a claim whose value users cannot set, such as ORGANIZATION_RULE=${rule({ claim: show(first) })}`;
}

/** The values of a claim: a string, strings of an array, or the names of an object's members */
function valuesOf(claims: Claims, name: string): readonly string[] {
  const { [name]: value } = claims;
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string' && each !== '');
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
