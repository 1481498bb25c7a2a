import { keyFault } from '@legate/jwt';
import { shown } from '@legate/oauth';
import { z } from 'zod';
import { json, outage, unanswered } from '../reports/answers.ts';
import { type Evidence, fail, ok, skipped, warn } from '../reports/report.ts';
import { type Leg, NO_METADATA } from './examination.ts';

const KeySet = z.object({
  keys: z.array(z.looseObject({ kty: z.string() })),
});

export const keys: Leg = {
  check: 'keys',
  async run({ facts, probe, text }) {
    if (!facts.metadata) return skipped(NO_METADATA);
    const { jwks_uri: url, id_token_signing_alg_values_supported: algorithms } = facts.metadata;
    if (url === undefined)
      return fail('The metadata have no "jwks_uri".', 'Publish the signing keys, and add "jwks_uri".');
    const answer = await probe(url, { headers: { Accept: 'application/json' } });
    if (answer.kind === 'failed') return unanswered(answer);
    const failed = outage(answer);
    if (failed) return failed;
    const document = answer.status === 200 ? json(answer.text) : undefined;
    const parsed = KeySet.safeParse(document);
    if (!parsed.success)
      return fail(
        `There is no key set at ${shown(url)}.`,
        'Publish the public keys there as a JWKS (RFC 7517 §5).',
        { url: shown(url), status: answer.status },
      );
    const all = parsed.data.keys;
    const usable = all.filter((key) => keyFault(key) === undefined);
    const evidence: Evidence = {
      url: shown(url),
      keys: text.list(all.map(({ kty, alg }) => (typeof alg === 'string' ? `${kty} ${alg}` : kty))),
      id_token_algorithms: algorithms ? text.list(algorithms) : ['the metadata do not say'],
      cache_control: shown(answer.headers.get('cache-control') ?? 'absent'),
    };
    // RFC 7518 §6.2.2, §6.3.2, §6.4: `d` is a private key, `oct` a secret.
    if (all.some((key) => 'd' in key || key.kty === 'oct'))
      return fail(
        'The key set contains a private key or a shared secret.',
        'Remove it at once and replace it: anyone who has read it can sign tokens.',
        evidence,
      );
    if (usable.length === 0)
      return fail(
        'The key set has no key that can be used.',
        'Sign ID tokens with RS256, PS256, ES256 or EdDSA: RSA keys of 2048 to 4096 bits, P-256 or P-384, Ed25519.',
        all.length === 0
          ? evidence
          : { ...evidence, faults: [...new Set(all.flatMap((key) => keyFault(key) ?? []))] },
      );
    facts.keys = document;
    const count = usable.length === 1 ? 'One key' : `${usable.length} keys`;
    const seconds = maxAgeOf(answer.headers.get('cache-control'));
    return seconds !== undefined && seconds > LONG_SECONDS
      ? warn(
          `${count} can be read. Caches may keep them for ${Math.round(seconds / 3600)} hours.`,
          'Let caches keep the key set for less time than you keep an old key after a new one is published.',
          evidence,
        )
      : ok(`${count} can be read.`, evidence);
  },
};

const LONG_SECONDS = 86_400;

const maxAgeOf = (header: string | null): number | undefined => {
  const seconds = /(?:^|[\s,])max-age=(\d{1,10})(?:[\s,]|$)/i.exec(header ?? '')?.[1];
  return seconds === undefined ? undefined : Number(seconds);
};
