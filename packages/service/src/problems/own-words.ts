import type { z } from 'zod';

/**
 * Describes a fault for people. Passed to each parse, so that the texts of responses are ours and do not change with the
 * validation library. A schema's own `error` takes precedence.
 */
export function ownWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'Is required.'
        : `Must be ${WITH_ARTICLE[issue.expected] ?? 'of another type'}.`;
    case 'too_small':
      return `Must ${verbOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}.`;
    case 'too_big':
      return `Must ${verbOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}.`;
    case 'invalid_value':
      return `Must be ${issue.values.map((value) => JSON.stringify(String(value))).join(' or ')}.`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'Does not have the required format.';
    default:
      return 'Is not valid.';
  }
}

const WITH_ARTICLE: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  url: 'Must be an absolute URL.',
  uuid: 'Must be a UUID.',
  email: 'Must be an e-mail address.',
  datetime: 'Must be a time in UTC, such as 2026-01-31T12:00:00Z.',
};

const verbOf = (origin: string): string => (origin === 'string' || origin === 'array' ? 'have' : 'be');

function unitOf(origin: string, count: number | bigint): string {
  const plural = Number(count) === 1 ? '' : 's';
  if (origin === 'string') return ` character${plural}`;
  return origin === 'array' ? ` item${plural}` : '';
}
