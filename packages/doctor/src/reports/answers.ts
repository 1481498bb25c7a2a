import { findDocument, parseBearerChallenge } from '@legate/oauth';
import { FAULTS, isHttpUrl, type Probe, type Probed } from './probe.ts';
import { type Finding, fail, shown } from './report.ts';

/** Reports that a check needs a request, and that the request got no response. */
export function unanswered({ url, fault, code }: Probed & { kind: 'failed' }): Finding {
  const [detail, remedy] = FAULTS[fault];
  return fail(`${shown(url)} ${detail}.`, remedy, { url: shown(url), code });
}

/** Returns the remedy for a status that decides nothing: the server failed, or limits requests. */
export function remedyForOutage(status: number | undefined): string | undefined {
  if (status === 429) return 'It limits requests. Examine it again in a minute.';
  return status !== undefined && status >= 500
    ? 'Check the log of the server, and of any proxy in front of it.'
    : undefined;
}

/** Reports a response that shows only that the server failed, or limits requests. */
export function outage({ url, status }: Probed & { kind: 'answered' }): Finding | undefined {
  const remedy = remedyForOutage(status);
  return remedy === undefined
    ? undefined
    : fail(`${shown(url)} responds with status ${status}, so this cannot be checked.`, remedy, {
        url: shown(url),
        status,
      });
}

/** `resource_metadata` of a 401 (RFC 9728 §5.1) */
export function pointerOf(answer: Probed | undefined): string | undefined {
  if (answer?.kind !== 'answered') return undefined;
  const pointer = parseBearerChallenge(
    answer.headers.get('www-authenticate') ?? undefined,
  )?.resource_metadata;
  return pointer !== undefined && isHttpUrl(pointer) ? pointer : undefined;
}

/**
 * Requests a document at several URLs in parallel, and returns the response that the hub would use, which tries the
 * URLs one by one.
 * @returns `answer` undefined if no URL has the document
 */
export async function probeAll(urls: readonly string[], probe: Probe) {
  const answers = await Promise.all(urls.map((url) => probe(url)));
  const answer = await findDocument(
    answers,
    (one) => one,
    (one) => {
      if (one.kind !== 'answered') return undefined;
      return one.status === 200 && !isObject(json(one.text)) ? 'page' : one.status;
    },
  );
  return { answer, evidence: { asked: answers.map((one) => `${shown(one.url)}: ${statusOf(one)}`) } };
}

const statusOf = (answer: Probed): string =>
  answer.kind === 'answered' ? answered(answer) : `${answer.fault} (${answer.code})`;

/**
 * Describes a 200 that is not JSON. Some web applications return a page for every URL, so the document may be at the
 * next URL.
 */
const answered = ({ status, text }: Probed & { kind: 'answered' }): string =>
  status === 200 && !isObject(json(text)) ? '200, but not a JSON object' : String(status);

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns undefined if the text is not JSON; every schema rejects undefined */
export function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
