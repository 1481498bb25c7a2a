import type { Style } from '../terminal/style.ts';
import { describeClaims, type TokenKind } from './claims.ts';
import { type Exchange, member } from './http.ts';

/** Parameters whose values are secrets. Only their beginning is shown: enough to recognise them, not to use them. */
const SECRET_PARAMETERS =
  /^(subject_token|assertion|client_secret|access_token|id_token|refresh_token|code)$/;

/** Columns that the explanation of a claim needs next to it; with fewer, the explanation is put on the next line. */
const MIN_PROVES_WIDTH = 34;
const REFUSAL_INDENT = ' '.repeat('  refused  '.length);

/**
 * Writes the demo to a terminal or a file.
 * @param width columns per line; unbreakable text, such as a URL, may be longer
 */
export function createPrinter(write: (text: string) => void, style: Style, width: number) {
  const line = (text = '') => write(`${text}\n`);

  function shorten(value: string): string {
    return value.length <= 24 ? '…' : `${value.slice(0, 12)}… (${value.length} characters)`;
  }

  function printRequest({ method, url, headers, form, json }: Exchange): void {
    line(`  ${style.strong(`${method} ${url}`)}`);
    if (headers.Authorization) line(`    Authorization: Bearer ${shorten(headers.Authorization.slice(7))}`);
    if (headers['Txn-Token']) line(`    Txn-Token: ${shorten(headers['Txn-Token'])}`);
    for (const [name, value] of Object.entries(form ?? {})) {
      line(`    ${style.name(name)} = ${SECRET_PARAMETERS.test(name) ? shorten(value) : value}`);
    }
    if (json !== undefined) printJson(withoutMeta(json));
  }

  /** Prints JSON in one line if it fits there. */
  function printJson(json: unknown): void {
    const short = JSON.stringify(json, hideSecrets);
    const text = 4 + short.length <= width ? short : JSON.stringify(json, hideSecrets, 2);
    for (const part of text.split('\n')) line(`    ${style.faint(part)}`);
  }

  function printAnswer({ status, answer, ms }: Exchange): void {
    const painted = status < 400 ? style.good(String(status)) : style.bad(String(status));
    line(`  → ${painted} ${style.faint(`in ${ms.toFixed(1)} ms`)}`);
    const shown = JSON.stringify(toolResult(answer) ?? answer, hideSecrets, 2);
    for (const part of shown.split('\n')) line(`    ${part}`);
  }

  const hideSecrets = (name: string, value: unknown): unknown =>
    typeof value === 'string' && SECRET_PARAMETERS.test(name) ? shorten(value) : value;

  return {
    line,
    chapter(title: string): void {
      line();
      line(style.title(title));
    },
    say(text: string): void {
      for (const part of wrap(text, width - 2)) line(`  ${part}`);
    },
    /** Prints a request of the browser, without its query and the id of the sign-in. */
    step({ method, url, status }: Pick<Exchange, 'method' | 'url' | 'status'>): void {
      const address = url.replace(/\?.*/, '').replace(/\/(interaction|authorize)\/[^/]+/, '/$1/…');
      line(`  ${method.padEnd(4)} ${address} → ${status}`);
    },
    exchange(exchange: Exchange): void {
      printRequest(exchange);
      printAnswer(exchange);
    },
    token(token: string, kind: TokenKind, title: string): void {
      const { header, claims } = describeClaims(token, kind);
      if (3 + title.length + header.length <= width) line(`  ${style.strong(title)} ${style.faint(header)}`);
      else {
        line(`  ${style.strong(title)}`);
        printJson(JSON.parse(header));
      }
      const nameWidth = Math.max(...claims.map(({ name }) => name.length));
      const valueWidth = Math.min(44, Math.max(...claims.map(({ value }) => value.length)));
      const indent = 4 + nameWidth + 2;
      const isNarrow = indent + valueWidth + 2 + MIN_PROVES_WIDTH > width;
      for (const { name, value, proves } of claims) {
        const prefix = `    ${style.name(name.padEnd(nameWidth))}  `;
        if (!isNarrow) line(`${prefix}${value.padEnd(valueWidth)}  ${style.faint(proves)}`);
        else {
          line(`${prefix}${value}`);
          for (const part of wrap(proves, width - indent)) line(`${' '.repeat(indent)}${style.faint(part)}`);
        }
      }
    },
    table(rows: readonly (readonly string[])[]): void {
      const widths = (rows[0] ?? []).map((_cell, column) =>
        Math.max(...rows.map((row) => (row[column] ?? '').length)),
      );
      for (const row of rows) {
        const padded = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
        const text = `  ${padded.join('  ')}`.trimEnd();
        if (text.length <= width) line(text);
        else {
          // The last cell is what people copy: it stays whole, on a line of its own.
          if (row[0] !== '') line(`  ${padded.slice(0, -1).join('  ')}`.trimEnd());
          line(`      ${row.at(-1)}`);
        }
      }
    },
    refusal(attack: string, answer: string, asExpected: boolean): void {
      const mark = asExpected ? style.good('refused ') : style.bad('ACCEPTED');
      const [first = '', ...rest] = wrap(attack, width - REFUSAL_INDENT.length);
      line(`  ${mark} ${first}`);
      for (const part of rest) line(`${REFUSAL_INDENT}${part}`);
      line(`${REFUSAL_INDENT}${style.faint(answer)}`);
    },
  };
}

export type Printer = ReturnType<typeof createPrinter>;

function withoutMeta(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json, (name, value: unknown) => (name === '_meta' ? undefined : value)));
}

/** The text of a tool's result, without the JSON-RPC and MCP envelopes. */
function toolResult(answer: unknown): unknown {
  return member(answer, 'result', 'structuredContent') ?? member(answer, 'structuredContent');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const cut = space > 0 ? space : rest.indexOf(' ');
    if (cut <= 0) break;
    lines.push(rest.slice(0, cut));
    rest = rest.slice(cut).trimStart();
  }
  return [...lines, rest];
}
