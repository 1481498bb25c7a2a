/** Read what belongs to the caller. */
export const READ = 'mcp:tools:read';
/** Call tools that change something. */
export const CALL = 'mcp:tools:call';
export const SCOPES = [READ, CALL] as const;
