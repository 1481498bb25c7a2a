import { expect, it } from '@jest/globals';
import { formatTraceparent, parseTraceContext } from './trace-context.ts';

const TRACE = 'a'.repeat(32);
const SPAN = 'b'.repeat(16);

it('passes on the trace context that it received', () => {
  for (const traceparent of [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`]) {
    const context = parseTraceContext(traceparent, 'vendor=1');
    expect(context).toMatchObject({ traceId: TRACE, spanId: SPAN, state: 'vendor=1' });
    expect(context && formatTraceparent(context)).toBe(traceparent);
  }
});

it('reads later versions as far as it knows them', () => {
  const context = parseTraceContext(`01-${TRACE}-${SPAN}-03-more`);
  expect(context && formatTraceparent(context)).toBe(`00-${TRACE}-${SPAN}-01`);
});

it.each([
  ['no string', ['00-a']],
  ['another form', 'x'],
  ['upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['the version that is none', `ff-${TRACE}-${SPAN}-01`],
  ['more than version 00 has', `00-${TRACE}-${SPAN}-01-more`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['a line break', `00-${TRACE}-${SPAN}-01\n`],
])('finds no trace in %s', (_case, traceparent) => {
  expect(parseTraceContext(traceparent, 'vendor=1')).toBeUndefined();
});

it.each([
  ['too long', 'a=b,'.repeat(200)],
  ['with a line break', 'a=b\nc'],
  ['of several headers', ['a']],
])('leaves out a tracestate that is %s', (_case, tracestate) => {
  expect(parseTraceContext(`00-${TRACE}-${SPAN}-01`, tracestate)?.state).toBeUndefined();
});
