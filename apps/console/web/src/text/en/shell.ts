import { number } from '../../intl/format.ts';

/** Codes of `/signed-out?code=…`, which are the console's own */
const reasons: Readonly<Record<string, string>> = {
  signed_out: 'You have signed out.',
  sign_in_refused: 'The identity provider refused the sign-in.',
  organization_ambiguous:
    'Your sign-in names several organizations. Choose one when you sign in, or ask your administrator which account to use.',
  sign_in_expired: 'The sign-in took longer than ten minutes. Start again.',
  identity_provider_fault:
    'The sign-in did not succeed. Start again; if it fails again, tell your administrator.',
  sign_in_unavailable: 'Nobody can sign in at the moment. Try again in a minute.',
  too_many_sign_ins: 'Too many people are signing in from this network. Try again in a minute.',
  identity_provider_unavailable: 'The identity provider does not answer. Try again in a minute.',
  session_expired: 'Your session has ended, because it was not used for a while.',
};

export const shell = {
  product: 'Legate',
  windowTitle: (page: string) => `${page} · Legate`,
  skip: 'Skip to content',
  navigation: 'Main',
  openNavigation: 'Open navigation',
  pages: {
    home: 'Home',
    connectors: 'Connectors',
    agents: 'Agents',
    sites: 'Sites',
    members: 'Members',
    audit: 'Audit',
    inspector: 'Inspector',
    settings: 'Settings',
    me: 'Me',
  },
  search: 'Search or jump…',
  searchKeys: 'Ctrl K',
  palette: 'Search or jump to',
  paletteEmpty: 'Nothing found. Enter at least two characters of a name, or a complete id.',
  paletteFirst: (group: string, shown: number, total: number) =>
    `${group}: the first ${number(shown)} of ${number(total)}`,
  paletteGroups: {
    pages: 'Pages',
    actions: 'Actions',
    connectors: 'Connectors',
    agents: 'Agents',
    sites: 'Sites',
    members: 'Members',
    ids: 'By id',
  },
  openId: (id: string) => `Open ${id}`,
  theme: 'Theme',
  themeLight: 'Light theme',
  themeDark: 'Dark theme',
  themeSystem: 'Theme of the system',
  reader: 'Your account',
  readerMenu: ', your account',
  roleIn: (role: string, organization: string) => `${role} of ${organization}`,
  signIn: 'Sign in',
  signInWith: (provider: string) => `Sign in with ${provider}`,
  unavailableTitle: 'The console is not available',
  signInTitle: 'Sign in to the console',
  signInText: 'For people who connect tool servers, run agents, or want to see what was done in their name.',
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out everywhere',
  signedOutTitle: 'Signed out',
  signedOutReason: (code: string | undefined) =>
    (Object.hasOwn(reasons, code ?? 'signed_out')
      ? reasons[code ?? 'signed_out']
      : reasons.identity_provider_fault) ?? '',
  sessionEndedTitle: 'Sign in again',
  sessionEndedText:
    'Your session has ended. After signing in, you return to this page; unsaved changes are lost.',
  shutOutTitle: {
    membership_revoked: 'Your access has ended',
    membership_deactivated: 'Your membership is deactivated',
    organization_suspended: 'The organization is suspended',
  } as Readonly<Record<string, string>>,
  shutOutText: {
    membership_revoked:
      'An administrator has ended your access to this organization. An owner or administrator can reinstate you.',
    membership_deactivated:
      'An administrator has deactivated your membership of this organization. An owner or administrator can reinstate it.',
    organization_suspended: 'Nobody can use it until an owner reactivates it.',
  } as Readonly<Record<string, string>>,
  deletedTitle: 'The organization is deleted',
  deletedText: 'Its agents, connectors and sites no longer work, and its members have no access.',
  deletedOwner: 'You can restore it until',
  deletedOthers: 'Ask an owner to restore it. That is possible until',
  deletedForGood: 'It can no longer be restored.',
  noOrganizationTitle: 'You have no organization yet',
  noOrganizationText: 'Create one, or ask somebody to invite you to theirs.',
  signedInAs: 'You are signed in as',
  createOrganization: 'Create an organization',
  welcomeTitle: 'Your organization is ready',
  welcomeText: 'Sign in once more to work in your new organization.',
};
