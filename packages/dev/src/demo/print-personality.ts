import {
  namesOrganization,
  PERSONALITIES,
  type Personality,
  type PersonalityName,
} from '@legate/personalities';
import { CONNECTOR, toolAtMcp } from '../scene/scene.ts';
import { type ServiceUrls, stackIssuer } from '../stack/services.ts';
import type { Printer } from './printer.ts';

/** Shows which legs work with the imitated identity provider, instead of the demo, which needs all of them. */
export function printPersonality(name: PersonalityName, urls: ServiceUrls, print: Printer): void {
  const personality: Personality = PERSONALITIES[name];
  const { title, refusal, organizationClaim, accessToken, settings } = personality;
  const isNamed = namesOrganization(personality);
  print.chapter(`An identity provider that behaves as the documents of ${title} say`);
  print.table([
    ['Issuer', stackIssuer(urls, name), ''],
    [
      'Sign-in at the hub',
      isNamed ? 'works' : 'refused',
      isNamed
        ? `the organization is the claim ${organizationClaim}`
        : 'ID tokens do not name the organization',
    ],
    [
      'Tools as the user',
      refusal || !isNamed ? 'refused' : 'work',
      refusal ? `no ID-JAGs: HTTP ${refusal.status} ${refusal.body.error}` : 'by ID-JAGs',
    ],
    [
      'Management API, console',
      accessToken ? 'work' : 'refused',
      accessToken ? '' : 'access tokens are for the APIs of the provider alone',
    ],
  ]);
  print.line();
  print.say('What the services need for it, besides the issuer:');
  print.table([
    ['tool-hub', settingsText(settings.hub)],
    ['management-api', settingsText(settings.managementApi)],
  ]);
  print.line();
  print.table([
    ['Who am I', 'npx legate whoami --hub'],
    ['Call a tool', `npx legate call ${toolAtMcp('whoami')}`],
    ['Find out what does not work', `npx legate doctor --connector ${CONNECTOR}`],
    ['What to do at the provider', 'docs/how-to/identity-providers'],
  ]);
}

const settingsText = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map((setting) => setting.join('='))
    .join(' ') || 'nothing';
