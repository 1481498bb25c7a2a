import { dateTime, relativeTime, utc } from '../intl/format.ts';

interface TimeProps {
  /** An instant in the APIs' form, RFC 3339 */
  readonly at: string;
  /** `relative`: "2 days ago"; `full`: date and time of day */
  readonly as?: 'relative' | 'full';
}

/** An instant, in the reader's time zone; UTC in its title. */
export function Time({ at, as = 'relative' }: TimeProps) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={utc(date)}>
      {as === 'full' ? dateTime(date) : relativeTime(date, new Date())}
    </time>
  );
}
