import { type ExplainedClaim, type ExplainedToken, explainToken, TOKEN_NAME } from '@legate/jwt/claims';
import { usageError } from '../command-line/cli-error.ts';
import { type Context, defineCommand, text } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { readSecret } from '../command-line/read-stdin.ts';
import { serviceUrl } from '../identity/addresses.ts';
import type { Verdict } from '../identity/verify.ts';
import type { Io } from '../terminal/io.ts';
import { type Line, type Part, painted } from '../terminal/output.ts';
import { table } from '../terminal/table.ts';
import { relativeTime } from '../terminal/time.ts';

export const decode = defineCommand({
  name: 'decode',
  summary: 'Shows the claims of a token and what each of them proves',
  description: [
    'The token is decoded locally and sent nowhere. Decoding proves nothing: with `--issuer`, the command verifies the signature with the keys of that issuer, and checks issuer and times. Then the exit code is 1 for an invalid token.',
  ],
  arguments: [
    {
      name: 'jwt',
      summary: 'the token; `-` reads it from stdin, or asks for it at a terminal',
      isRequired: true,
    },
  ],
  options: { issuer: text('url', 'verify the token with the keys of this issuer') },
  json: 'header, claims and verdict as JSON',
  examples: [
    { typed: 'legate token | legate decode -', does: 'Explains your ID token.' },
    {
      typed: 'legate decode - --issuer http://localhost:4002 < token.txt',
      does: 'Verifies a token with the keys of its issuer.',
    },
  ],
  async run({ options, args }, context) {
    const { io, out } = context;
    const token = args.jwt === '-' ? await readSecret(io, 'Token (it is not shown): ') : args.jwt;
    const explained = explain(token);
    const { issuer } = options;
    const verdict = issuer === undefined ? undefined : await judge(io, token, serviceUrl('--issuer', issuer));
    out.result(toJson(explained, verdict), () => toLines(explained, verdict, context));
    return verdict?.isValid === false ? EXIT.fault : EXIT.done;
  },
});

async function judge(io: Io, token: string, issuer: string): Promise<Verdict> {
  const { verify } = await import('../identity/verify.ts');
  return verify(io, token, issuer);
}

function explain(token: string): ExplainedToken {
  try {
    return explainToken(token);
  } catch {
    throw usageError(
      /^(lgt|lgi)_/.test(token)
        ? 'This is an API key or a link token: it has no claims.'
        : 'This is not a JWT.',
      'legate token | legate decode -',
    );
  }
}

const valueText = ({ value }: ExplainedClaim): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

function toLines(
  { kind, header, claims }: ExplainedToken,
  verdict: Verdict | undefined,
  { io, out: { width } }: Context,
): Line[] {
  const now = io.clock();
  const shown = (claim: ExplainedClaim): Part => {
    if (!claim.time) return valueText(claim);
    const isOver = claim.name === 'exp' && claim.time <= now;
    const when = `${relativeTime(claim.time, now)} (${claim.time.toISOString().slice(0, 19)}Z)`;
    return isOver ? painted('red', when) : when;
  };
  return [
    [painted('bold', TOKEN_NAME[kind]), '  ', verdictPart(verdict)],
    '',
    ...table(
      ['HEADER', 'VALUE'],
      Object.entries(header).map(([name, value]) => [name, String(value)]),
      { width },
    ),
    '',
    ...table(
      ['CLAIM', 'WHAT IT PROVES', 'VALUE'],
      claims.map((claim): Part[] => [
        painted('cyan', claim.name),
        painted('dim', claim.proves ?? 'not needed here'),
        shown(claim),
      ]),
      { width, prose: 'WHAT IT PROVES' },
    ),
  ];
}

function verdictPart(verdict: Verdict | undefined): Part {
  if (!verdict) return painted('yellow', 'not verified');
  return verdict.isValid
    ? painted('green', `verified by the keys of ${verdict.issuer}`)
    : painted('red', `does not hold: ${verdict.reason}`);
}

const toJson = ({ kind, header, claims }: ExplainedToken, verdict: Verdict | undefined) => ({
  kind,
  verified: verdict?.isValid ?? false,
  ...(verdict && { issuer: verdict.issuer, reason: verdict.isValid ? null : verdict.reason }),
  header,
  claims: claims.map(({ name, value, time, proves }) => ({
    name,
    value,
    ...(time && { time }),
    proves: proves ?? null,
  })),
});
