/** The groups of operations, in the order in which they are read. */
export const TAGS = {
  Caller: 'The caller, with their permissions and rate limit.',
  Organization: 'The organization that the token names.',
  Members: 'Its users and their roles.',
  Invitations: 'Links by which people become members.',
  Machines: 'Service accounts, their clients of the identity provider, and their API keys.',
  Domains: 'Domains that it has shown to be its own.',
  Sites: 'Applications that embed agents, and the origins they are served from.',
  Agents: 'Agents, the sites that embed them, and the connectors they may use.',
  Connectors: 'Tool servers, and how tokens for them are obtained.',
  Usage: 'Requests of past days.',
  Audit: 'What was changed, when and by whom.',
  Onboarding: 'From a sign-in to an organization and a consent.',
  Description: 'This description.',
} as const;

export type Tag = keyof typeof TAGS;
