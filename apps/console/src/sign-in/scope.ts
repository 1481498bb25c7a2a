/** All scopes of the management API. It grants only those that the user's role allows. */
const API_SCOPES = [
  ...['org:read', 'org:write', 'members:read', 'members:write', 'invitations:read', 'invitations:write'],
  ...['domains:read', 'domains:write', 'sites:read', 'sites:write', 'agents:read', 'agents:write'],
  ...['connectors:read', 'connectors:write', 'clients:write', 'audit:read', 'audit:export'],
  ...['credentials:read', 'credentials:write', 'usage:read'],
];

export const SCOPE = ['openid', 'profile', 'email', 'offline_access', ...API_SCOPES].join(' ');
