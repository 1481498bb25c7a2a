/** The groups of operations, in the order in which the documentation shows them. */
export const TAGS = {
  Caller: 'The caller, with their permissions and rate limit.',
  Organization: 'The organization that the token names.',
  Members: 'Users of the organization, and their roles.',
  Invitations: 'Links with which people become members.',
  Machines: 'Service accounts, their clients at the identity provider, and their API keys.',
  Domains: 'Domains that the organization has proved to be its own.',
  Sites: 'Applications that embed agents, and the origins they are served from.',
  Agents: 'Agents, the sites that embed them, and the connectors they may use.',
  Connectors: 'Tool servers, and how tokens for them are obtained.',
  Usage: 'Requests and calls, counted by day.',
  Audit: 'What was changed, when and by whom.',
  Onboarding: 'From the first sign-in to an organization and the user’s consent.',
  Description: 'This document.',
} as const;

export type Tag = keyof typeof TAGS;
