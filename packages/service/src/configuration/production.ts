import { type Block, parseOutboundAllow } from '@legate/guarded-fetch';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { secretNames } from './description.ts';

/** Requirements of one service in production, in addition to the common rules. */
export interface ProductionRules<Name extends string> {
  /** Settings whose development value is made up or left out, each with what would happen without it */
  readonly required?: Partial<Record<Name, string>>;
  /** Identifiers and addresses that others see: https, or a loopback address that is written out */
  readonly publicUrls?: readonly Name[];
}

/** Matches every secret that Legate publishes for development; `id:base64` is also checked decoded. */
const DEVELOPMENT = /(?:^|[-_.:\s])dev(?:elopment)?(?:[-_.:\s]|$)|change-?me|replace-?me/i;
const MIN_SECRET_LENGTH = 16;
/** A text with fewer different characters is not random, however long it is. */
const MIN_DIFFERENT = 6;

/** Returns true if a secret is published for development, or is a placeholder. */
export const isDevelopmentSecret = (text: string): boolean =>
  partsOf(text).some(({ says }) => says.some((one) => DEVELOPMENT.test(one)));

/** All clients behind an unnamed proxy have one address, and the first that fails too often locks out the rest. */
const PROXIES_NOT_NAMED =
  'TRUSTED_PROXIES: required in production: name the proxies in front, or say "none" where clients connect directly';

/** Returns the settings that production must not have: the name of each variable, without its value. */
export function productionFaults(
  environment: z.ZodObject,
  given: { texts: Readonly<Record<string, string>>; atFault: ReadonlySet<string> },
  rules: ProductionRules<string>,
): string[] {
  const { texts, atFault } = given;
  const missing = (name: string) => texts[name] === undefined && !atFault.has(name);
  const usable = (name: string) => (atFault.has(name) ? undefined : texts[name]);

  const required = Object.entries(rules.required ?? {})
    .filter(([name]) => missing(name))
    .map(([name, why]) => `${name}: required in production: ${why}`);
  const urls = (rules.publicUrls ?? []).flatMap((name) => {
    const schema = environment.shape[name];
    const byDefault = schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : '';
    if (missing(name) && plainHttpHosts(byDefault).length > 0)
      return [`${name}: required in production: its default is an address of this machine`];
    return plainHttpHosts(usable(name) ?? '').every(isLoopbackHost)
      ? []
      : [`${name}: must be https in production`];
  });
  const secrets = secretNames(environment).flatMap((name) => {
    const text = usable(name);
    const fault = text === undefined ? undefined : secretFault(text);
    return fault ? [`${name}: ${fault}`] : [];
  });
  const proxies =
    'TRUSTED_PROXIES' in environment.shape && missing('TRUSTED_PROXIES') ? [PROXIES_NOT_NAMED] : [];
  return [...required, ...proxies, ...urls, ...secrets, ...outboundFaults(usable)];
}

/** Returns why production refuses a secret, without the secret; undefined if it accepts it. */
export function secretFault(text: string): string | undefined {
  if (isDevelopmentSecret(text)) return 'is a development secret, which is refused in production';
  const isWeak = partsOf(text).some(
    ({ random }) =>
      random && (random.length < MIN_SECRET_LENGTH || new Set(random.characters).size < MIN_DIFFERENT),
  );
  return isWeak
    ? `is too weak for production: at least ${MIN_SECRET_LENGTH} characters, and random ones`
    : undefined;
}

/** Returns the clients of a configuration file with a secret that production refuses. */
export const clientSecretFaults = (
  path: string,
  clients: readonly { client_id: string; secrets?: readonly string[] | undefined }[],
): string[] =>
  clients.flatMap(({ client_id, secrets = [] }) =>
    secrets.flatMap((secret) => {
      const fault = secretFault(secret);
      return fault ? [`${path}: client ${client_id}: a secret ${fault}`] : [];
    }),
  );

/** Addresses of this machine, and link-local ones, where clouds serve metadata and credentials. */
const LOCAL = parseOutboundAllow(['loopback', '0.0.0.0/8', '169.254.0.0/16', '::/128', 'fe80::/10']);

/** Returns true if two blocks overlap: one then contains the other's first address. */
const overlap = (one: Block, other: Block): boolean =>
  one[0].kind() === other[0].kind() && (one[0].match(other) || other[0].match(one));

function outboundFaults(usable: (name: string) => string | undefined): string[] {
  const faults: string[] = [];
  if (usable('CONNECT_TO')) faults.push('CONNECT_TO: is for development, and refused in production');
  const allow = (usable('OUTBOUND_ALLOW') ?? '').split(',').map((entry) => entry.trim());
  const blocks = parseOutboundAllow(allow.filter(Boolean));
  // Otherwise a peer, or the author of a connector's URL, could reach local services or the cloud's metadata.
  if (blocks.some((block) => LOCAL.some((local) => overlap(block, local))))
    faults.push('OUTBOUND_ALLOW: loopback and link-local addresses are refused in production');
  return faults;
}

const KEY_IN_LIST = /^[A-Za-z0-9_-]{1,32}:([A-Za-z0-9+/=_-]+)$/;

interface Part {
  /** The part of the value in which a development marker may appear */
  readonly says: readonly string[];
  /** The part that must be unguessable; undefined if it is checked elsewhere */
  readonly random?: { readonly length: number; readonly characters: string };
}

function partsOf(text: string): Part[] {
  // A key set: a key is as strong as its algorithm, and development keys are recognized by their name.
  if (text.startsWith('{'))
    return [{ says: [...text.matchAll(/"kid"\s*:\s*"([^"]*)"/g)].map(([, kid = '']) => kid) }];
  // Checked before keys: `redis://host` could be read as one. A password may contain commas.
  const urls = text.split(/,\s*(?=[a-z]+:\/\/)/);
  if (urls.every((url) => url.includes('://') && URL.canParse(url)))
    return urls.map((url) => ({ says: [new URL(url).password] }));
  const items = text.split(',').map((item) => item.trim());
  if (items.every((item) => KEY_IN_LIST.test(item))) {
    return items.map((item) => {
      const key = Buffer.from(KEY_IN_LIST.exec(item)?.[1] ?? '', 'base64').toString('latin1');
      return { says: [item, key], random: { length: item.length, characters: key } };
    });
  }
  return [{ says: [text], random: { length: text.length, characters: text } }];
}

const plainHttpHosts = (text: string): string[] =>
  [...text.matchAll(/http:\/\/[^\s,=]+/g)].map(([url]) => (URL.canParse(url) ? new URL(url).hostname : ''));

/** @param hostname of a URL: an IPv6 address is in brackets */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
