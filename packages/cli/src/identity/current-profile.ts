import type { Io } from '../terminal/io.ts';
import { locked, type Profile, readProfile, writeProfile } from './profile-file.ts';
import { signInAgain } from './sign-in-again.ts';
import { expiresAt } from './token-times.ts';

/** Seconds. A token that expires sooner is renewed. */
const MARGIN_SECONDS = 60;

/**
 * Returns the profile with tokens that are valid for at least a minute. Renews them if necessary.
 * @throws {CliError} 3 if only a new sign-in helps
 */
export async function currentProfile(io: Io, path: string, profile: Profile): Promise<Profile> {
  if (isCurrent(profile, io.clock())) return profile;
  return locked(path, io.wait, async () => {
    const latest = (await readProfile(path)) ?? profile; // another process may have renewed it
    if (isCurrent(latest, io.clock())) return latest;
    const { renew } = await import('./renewal.ts');
    const renewed = await renew(io, latest);
    await writeProfile(path, renewed);
    if ((expiresAt(renewed.idToken)?.getTime() ?? 0) <= io.clock().getTime())
      throw signInAgain(io.env, latest, 'The identity provider renews access tokens only, not the ID token.');
    return renewed;
  });
}

function isCurrent({ idToken, accessToken }: Profile, now: Date): boolean {
  const ends = [idToken, accessToken].map((token) => (token ? expiresAt(token) : undefined));
  return ends.every((end) => !end || end.getTime() - now.getTime() > MARGIN_SECONDS * 1000);
}
