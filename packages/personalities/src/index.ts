import { auth0 } from './auth0.ts';
import { entra } from './entra.ts';
import { google } from './google.ts';
import { keycloak } from './keycloak.ts';
import { okta } from './okta.ts';
import type { Personality } from './personality.ts';
import { pingfederate } from './pingfederate.ts';
import { workos } from './workos.ts';

export { claimNames, namesOrganization } from './claims.ts';
export { issuerFault, issuerOf, issuerPathOf } from './issuer.ts';
export type {
  AccessToken,
  Answer,
  Endpoints,
  ErrorCode,
  Members,
  Personality,
  SignedIn,
  StandardAccessToken,
} from './personality.ts';

export const PERSONALITIES = {
  okta,
  auth0,
  keycloak,
  entra,
  workos,
  google,
  pingfederate,
} as const satisfies Record<string, Personality>;
export type PersonalityName = keyof typeof PERSONALITIES;

export const PERSONALITY_NAMES = Object.keys(PERSONALITIES) as readonly PersonalityName[];

export const isPersonalityName = (name: string): name is PersonalityName =>
  Object.hasOwn(PERSONALITIES, name);

/** @returns undefined if no personality has this name */
export const findPersonality = (name: string): Personality | undefined =>
  PERSONALITY_NAMES.flatMap((known) => (known === name ? [PERSONALITIES[known]] : []))[0];
