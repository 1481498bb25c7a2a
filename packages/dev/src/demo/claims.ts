import { type ExplainedClaim, explainToken, type TokenKind } from '@legate/jwt/claims';

export type { TokenKind };

/** Decodes a token, without verifying it, for the demo: each claim as text, with what it proves. */
export function describeClaims(token: string, kind: TokenKind) {
  const { header, claims } = explainToken(token, kind);
  return {
    header: JSON.stringify(header),
    claims: claims.map(({ name, value, time, proves = 'not needed here' }) => ({
      name,
      value: textOf(value, time),
      proves,
    })),
  };
}

function textOf(value: unknown, time: ExplainedClaim['time']): string {
  if (time) return `${value} (${time.toISOString().slice(11, 19)} UTC)`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
