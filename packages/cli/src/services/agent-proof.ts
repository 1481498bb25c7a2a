/** Says after the name of an agent how the hub knows it: from the session or client, or only from the application. */
export const agentProof = (isAuthenticated: unknown): string =>
  isAuthenticated === true ? '(proven)' : '(named by the application)';
