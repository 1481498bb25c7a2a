import { describe, expect, it } from '@jest/globals';
import { listRecordings, readRecording } from './recorded.ts';

describe.each(listRecordings())('the answer of %s: %s', (kind, name) => {
  const { source, request, response } = readRecording(kind, name);

  it('has a document as its source, and the form of a token endpoint', () => {
    expect(new URL(source).protocol).toBe('https:');
    expect(request.grant_type).toEqual(expect.any(String));
    const { status, body } = response;
    expect(status === 200 ? typeof body.access_token : typeof body.error).toBe('string');
    expect([200, 400, 401, 403]).toContain(status);
  });

  it('contains no token', () => {
    expect(JSON.stringify([request, response])).not.toMatch(/eyJ[A-Za-z0-9_-]{10}/);
  });
});
