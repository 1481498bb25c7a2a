/** Scope to read the caller's data. */
export const READ = 'mcp:tools:read';
/** Scope to call tools that change data. */
export const CALL = 'mcp:tools:call';
export const SCOPES = [READ, CALL] as const;
