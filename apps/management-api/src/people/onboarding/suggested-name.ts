import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { DisplayName } from '../../domain/display-name.ts';
import { soundsLikeMailProvider } from '../../domain/public-mail-providers.ts';

/**
 * Suggests a name for the user's organization, from the domain of their e-mail address: `alice@mail.foo-corp.co.uk` →
 * `Foo Corp`. It only pre-fills a form: it grants no domain and no membership.
 * @returns null if the domain suggests no organization
 */
export function suggestOrganizationName(email: string | null, emailVerified: boolean): string | null {
  if (email === null || !emailVerified) return null;
  const at = email.lastIndexOf('@');
  // `domainToASCII` would parse other characters as parts of a URL, and numbers as IPv4 addresses.
  const host = email
    .slice(at + 1)
    .trim()
    .toLowerCase();
  if (at < 1 || !/^[^\s/?#@:[\]\\%]+$/.test(host)) return null;
  const { domain, domainWithoutSuffix, isIp } = parse(domainToASCII(host), { allowPrivateDomains: true });
  if (isIp || !domain || !domainWithoutSuffix || soundsLikeMailProvider(domain)) return null;
  const words = domainToUnicode(domainWithoutSuffix).split(/[-_]+/).filter(Boolean);
  const name = DisplayName.safeParse(words.map(capitalised).join(' '));
  return name.success ? name.data : null;
}

function capitalised(word: string): string {
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('');
}
