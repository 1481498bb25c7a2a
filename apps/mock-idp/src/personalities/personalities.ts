import { auth0 } from './auth0.ts';
import { entra } from './entra.ts';
import { google } from './google.ts';
import { keycloak } from './keycloak.ts';
import { okta } from './okta.ts';
import type { Personality } from './personality.ts';
import { pingfederate } from './pingfederate.ts';
import { strict } from './strict.ts';
import { workos } from './workos.ts';

export const PERSONALITIES = {
  okta,
  auth0,
  keycloak,
  entra,
  workos,
  google,
  pingfederate,
  strict,
} as const satisfies Record<string, Personality>;
export type PersonalityName = keyof typeof PERSONALITIES;

export const PERSONALITY_NAMES = Object.keys(PERSONALITIES) as readonly PersonalityName[];
