const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Providers whose addresses are given to anyone, and the suffixes below which they give them out */
const FAMILIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    words(`
    aim dispostable emailondeck fakeinbox getnada gmail googlemail guerrillamailblock hey hushmail
    icloud mailfence mailnesia mintemail msn naver rediffmail rocketmail runbox sharklasers spamgourmet
    startmail throwawaymail ymail
    `).map((label) => [label, 'com']),
  ),
  '10minutemail': 'com net',
  aol: 'com de es fr it co.uk',
  discard: 'email',
  fastmail: 'com fm',
  freemail: 'hu',
  freenet: 'de',
  gmx: 'at ch com co.uk de es fr li net us',
  grr: 'la',
  guerrillamail: 'biz com de info net org',
  hotmail: 'be ca ch cl co.il co.jp co.uk com com.ar com.au com.br com.tr de dk es fi fr gr it nl no se',
  inbox: 'com lv ru',
  laposte: 'net',
  libero: 'it',
  live: 'at be ca ch cl cn co.uk co.za com com.ar com.au com.mx com.pt de dk fi fr ie in it jp nl no ru se',
  mailbox: 'org',
  maildrop: 'cc',
  mailinator: 'com net',
  mohmal: 'com in',
  orange: 'es fr',
  outlook:
    'at be cl co.id co.il co.nz co.th com com.ar com.au com.br com.gr com.pe com.tr com.vn cz de dk es fr hu ie in it jp kr lv my ph pt sa sg sk',
  posteo: 'at ch de eu net org',
  proton: 'me',
  protonmail: 'ch com',
  seznam: 'cz',
  sympatico: 'ca',
  'temp-mail': 'io org',
  tempmail: 'com dev',
  trashmail: 'com de',
  tuta: 'com io',
  tutanota: 'com de',
  virgilio: 'it',
  wanadoo: 'es fr',
  web: 'de',
  yahoo:
    'at be ca ch cl cn co.id co.il co.in co.jp co.kr co.nz co.th co.uk co.za com com.ar com.au com.br com.cn com.co com.hk com.mx com.my com.pe com.ph com.sg com.tr com.tw com.vn de dk es fi fr gr ie in it nl no pl pt ro se',
  yandex: 'by com com.tr kz ru ua',
  yopmail: 'com fr net',
  zoho: 'com eu in',
  zohomail: 'com eu in',
};

/** Providers whose names other organizations use under other suffixes */
const DOMAINS: ReadonlySet<string> = new Set([
  ...Object.entries(FAMILIES).flatMap(([label, suffixes]) =>
    suffixes.split(' ').map((suffix) => `${label}.${suffix}`),
  ),
  ...words(`
    126.com 139.com 163.com att.net bellsouth.net bigpond.com bk.ru bol.com.br bluewin.ch btinternet.com
    charter.net comcast.net cox.net daum.net duck.com earthlink.net email.com foxmail.com free.fr
    hanmail.net list.ru mac.com mail.com mail.ru me.com nate.com ntlworld.com o2.pl onet.pl pm.me qq.com
    rambler.ru sbcglobal.net sfr.fr shaw.ca sina.com sky.com sohu.com t-online.de telenet.be
    terra.com.br tiscali.it ukr.net uol.com.br verizon.net wp.pl ziggo.nl
  `),
]);

/**
 * Returns true if anyone can get an address at the domain. It compares exact domains, since `orange.com`
 * belongs to a company. A missing entry is harmless: domains are verified in the DNS.
 * @param domain registrable, lower case, ASCII
 */
export const isPublicMailProvider = (domain: string): boolean => DOMAINS.has(domain);

/**
 * Returns true if the domain has the name of a provider below any suffix, such as `yahoo.com.ve`. Use it only
 * for a suggestion, where a false match costs a company only a few key strokes.
 * @param domain registrable, lower case, ASCII
 */
export const soundsLikeMailProvider = (domain: string): boolean =>
  DOMAINS.has(domain) || Object.hasOwn(FAMILIES, domain.split('.')[0] ?? '');
