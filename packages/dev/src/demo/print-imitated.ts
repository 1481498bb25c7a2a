import { CONNECTOR, toolAtMcp } from '../scene/scene.ts';
import { type ImitatedName, imitatedOrganizationRule, kindNameOf, kindOf } from '../stack/imitated.ts';
import { type ServiceUrls, stackIssuer } from '../stack/services.ts';
import type { Printer } from './printer.ts';

const SUBJECTS = {
  id_token: 'by ID-JAGs, for the ID token of a sign-in',
  refresh_token: 'by ID-JAGs, for the refresh token of a session',
  access_token: 'by ID-JAGs, for the access token of a session',
} as const;

/** Shows what works with the imitated identity provider, and the settings that its kind needs. */
export function printImitated(name: ImitatedName, urls: ServiceUrls, print: Printer): void {
  const { title, idJagSubject, exchange, organizationClaim } = kindOf(name);
  const isExchanged = exchange !== undefined;
  print.chapter(
    name === 'strict'
      ? 'An identity provider that does exactly what the draft of ID-JAGs says'
      : `An identity provider that behaves as the documents of ${title} say`,
  );
  print.table([
    ['Issuer', stackIssuer(urls, name), ''],
    ['Kind', `IDP_KIND=${kindNameOf(name)}`, 'of the hub, the management API and the console'],
    [
      'Organization',
      organizationClaim === undefined ? 'fixed' : `claim ${organizationClaim}`,
      imitatedOrganizationRule(name) ? 'ORGANIZATION_RULE: everybody belongs to Acme' : '',
    ],
    [
      'Tools as the user',
      idJagSubject !== undefined || isExchanged ? 'work' : 'refused',
      idJagSubject !== undefined
        ? SUBJECTS[idJagSubject]
        : isExchanged
          ? 'by token-exchange alone: it issues no ID-JAGs'
          : 'it issues no ID-JAGs, and exchanges no access tokens',
    ],
  ]);
  print.line();
  print.table([
    ['Who am I', 'npx legate whoami --hub'],
    ['Call a tool', `npx legate call ${toolAtMcp('whoami')}`],
    ['Find out what does not work', `npx legate doctor --connector ${CONNECTOR}`],
    ['What to do at the provider', 'docs/how-to/identity-providers'],
  ]);
}
