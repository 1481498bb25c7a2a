import { randomBytes } from 'node:crypto';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { createClient, type Legate } from '@legate/client';
import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import { secureHeaders } from 'hono/secure-headers';
import { z } from 'zod';
import { type Chat, createChat } from './chat.ts';
import { createModel } from './model.ts';
import { createSignIn, type PendingSignIn, type SignedIn } from './sign-in.ts';

const {
  PORT = '5173',
  URL_OF_APP = `http://localhost:${PORT}`,
  HUB = 'http://localhost:4001',
  ISSUER = 'http://localhost:4002',
  CLIENT_ID = 'frontend-app',
  LEGATE_EXAMPLE_MODEL = 'mock',
} = process.env;

/** The session of a browser. A real application has a store for them. */
interface Session {
  pending?: PendingSignIn;
  signedIn?: { readonly user: SignedIn; readonly legate: Legate; readonly chat: Chat };
}
const sessions = new Map<string, Session>();
const model = createModel(LEGATE_EXAMPLE_MODEL);
const signIn = await createSignIn({
  issuer: ISSUER,
  clientId: CLIENT_ID,
  redirectUri: `${URL_OF_APP}/callback`,
});

function startSession(c: Context, session: Session): void {
  const id = randomBytes(32).toString('base64url');
  sessions.set(id, session);
  const secure = URL_OF_APP.startsWith('https:');
  setCookie(c, 'session', id, { httpOnly: true, sameSite: 'Lax', secure, path: '/' });
}

/** A session has a new id after each sign-in, so that nobody can plant one. */
function takeSession(c: Context): Session | undefined {
  const id = getCookie(c, 'session') ?? '';
  const session = sessions.get(id);
  sessions.delete(id);
  return session;
}

const signedInOf = (c: Context) => sessions.get(getCookie(c, 'session') ?? '')?.signedIn;

const app = new Hono();
// Texts on this page may come from tool servers, and so from anyone: only our own script may run.
app.use(
  secureHeaders({
    referrerPolicy: 'same-origin',
    contentSecurityPolicy: { defaultSrc: ["'self'"], frameAncestors: ["'none'"] },
  }),
);
app.use(csrf({ origin: new URL(URL_OF_APP).origin }));

app.get('/sign-in', async (c) => {
  const { url, pending } = await signIn.begin();
  takeSession(c);
  startSession(c, { pending });
  return c.redirect(url.href);
});

app.get('/callback', async (c) => {
  const pending = takeSession(c)?.pending;
  if (!pending) return c.redirect('/');
  const callback = new URL(`/callback${new URL(c.req.url).search}`, URL_OF_APP);
  const user = await signIn.finish(callback, pending).catch(() => undefined);
  if (!user) return c.text('The sign-in failed. Go back and try again.', 400);
  // One client for each user: the chat acts only as this user.
  const legate = createClient({ hub: HUB, idToken: () => signIn.freshIdToken(user) });
  startSession(c, { signedIn: { user, legate, chat: createChat(legate, model) } });
  return c.redirect('/');
});

app.post('/sign-out', async (c) => {
  const signedIn = takeSession(c)?.signedIn;
  if (!signedIn) return c.redirect('/', 303);
  await signedIn.legate.end(); // so that no token of the user is left at the hub
  return c.redirect(signIn.signOutUrl(signedIn.user, `${URL_OF_APP}/`).href, 303);
});

app.get('/connect/:connectorId', async (c) => {
  const tools = await signedInOf(c)?.legate.tools();
  const failure = tools?.leftOut.find(
    ({ connectorId }) => connectorId === c.req.param('connectorId'),
  )?.failure;
  if (failure?.kind !== 'connection_required') return c.redirect('/');
  const link = await failure.connect();
  return link.kind === 'link' ? c.redirect(link.authorizeUrl) : c.text(link.detail, 502);
});

const Said = z.object({ text: z.string().trim().min(1).max(4000) });
const Decided = z.object({ id: z.string(), approved: z.boolean() });

const api = new Hono<{ Variables: { chat: Chat; user: SignedIn } }>();
api.use(async (c, next) => {
  const signedIn = signedInOf(c);
  if (!signedIn) return c.json({ error: 'signed out' }, 401);
  c.set('chat', signedIn.chat);
  c.set('user', signedIn.user);
  return next();
});
const view = (c: { get(key: 'chat'): Chat; get(key: 'user'): SignedIn }) => {
  const { name, email } = c.get('user');
  return { user: { name, email }, ...c.get('chat').view() };
};
api.get('/', (c) => c.json(view(c)));
api.post('/say', async (c) => {
  const said = Said.safeParse(await c.req.json().catch(() => undefined));
  if (!said.success) return c.json({ error: 'text: 1 to 4000 characters' }, 400);
  const isTaken = await c.get('chat').say(said.data.text);
  return isTaken ? c.json(view(c)) : c.json({ error: 'decide first' }, 409);
});
api.post('/decide', async (c) => {
  const decided = Decided.safeParse(await c.req.json().catch(() => undefined));
  if (!decided.success) return c.json({ error: 'id and approved' }, 400);
  const { id, approved } = decided.data;
  return (await c.get('chat').decide(id, approved))
    ? c.json(view(c))
    : c.json({ error: 'no such call' }, 404);
});
app.route('/api/chat', api);

app.use(serveStatic({ root: './public' }));
serve({ fetch: app.fetch, port: Number(PORT), hostname: 'localhost' });
process.stdout.write(`${URL_OF_APP} (model: ${LEGATE_EXAMPLE_MODEL})\n`);
