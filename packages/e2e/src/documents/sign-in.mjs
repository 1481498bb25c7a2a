// node sign-in.mjs ISSUER EMAIL [RESOURCE]: signs a user of the development scene in, and writes their tokens as JSON.
import { signIn } from '@legate/dev';

const [issuer, email, resource] = process.argv.slice(2);
const { idToken, accessToken, refreshToken } = await signIn({
  issuer,
  email,
  scope: resource ? 'openid email profile' : 'openid email profile offline_access',
  ...(resource && { resource }),
});
process.stdout.write(
  JSON.stringify({ id_token: idToken, access_token: accessToken, refresh_token: refreshToken }),
);
