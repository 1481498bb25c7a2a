import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { OnboardingSessionId } from '../../../domain/ids.ts';
import type { OnboardingContext } from '../onboarding.ts';
import { createPages } from './pages.ts';

const SESSION_ID = OnboardingSessionId.parse('00000000-0000-4000-8000-000000000001');

const VIEWS = fileURLToPath(new URL('../../../../views/onboarding/', import.meta.url));
const pages = createPages('/onboarding');

/** Renders every page, with `text` wherever a page shows foreign input. */
function everyPage(text: string): string[] {
  const context: OnboardingContext = {
    user: { email: text, name: text, organizationName: text },
    domains: [text],
    csrfToken: 'token',
    needsOrgCreation: true,
    suggestedOrgName: text,
    warning: text,
  };
  const inSession = { sessionId: SESSION_ID, context, switchUser: '/sign-in', asksConsent: true };
  const link = { href: text, label: text };
  const invitation = {
    organization: text,
    domains: [text],
    inviter: text,
    role: 'viewer',
    address: text,
  } as const;
  return [
    pages.start({ application: text, asksConsent: true, signIn: link }),
    pages.createOrganization({ ...inSession, name: text }),
    pages.createOrganization({ ...inSession, name: text, nameFault: text, alert: text }),
    pages.creating({ ...inSession, refreshSeconds: 2, notice: text }),
    pages.invitation({ invitation, signIn: link }),
    pages.invitation({ ...inSession, invitation, csrfToken: text }),
    pages.joining({ ...inSession, invitation, refreshSeconds: 2 }),
    pages.consent({ ...inSession, application: text, clientId: text, target: text }),
    pages.ready({ ...inSession, onward: link }),
    pages.done({ ...inSession, allowed: true, onward: link, again: link }),
    pages.done({ ...inSession, allowed: false, onward: undefined, again: link }),
    pages.fault({ title: text, text, links: [link, link], code: text, requestId: text, setAside: true }),
  ];
}

/** Returns a page without every occurrence of the text, so that nothing else of the page may depend on the text. */
const frameOf = (page: string, text: string) => page.split(escaped(text)).join('');
const escaped = (text: string) =>
  text.replace(
    /[&<>"']/g,
    (character) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[character]};`,
  );

it('escapes any text, so that no part of it becomes a tag or an attribute', () => {
  const harmless = 'Harmless';
  const frames = everyPage(harmless).map((page) => frameOf(page, harmless));
  const hostile = fc.oneof(
    fc.constantFrom(
      '<script>alert(1)</script>',
      '" autofocus onfocus="alert(1)',
      "' onmouseover='alert(1)",
      '</title><h1>',
      '<%= it.context.csrfToken %>',
      '&lt;b&gt;',
    ),
    fc.string({
      unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '=', '`', '%', ' ', '\u202e', '\u0000'),
    }),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      // Does not occur in the frame, so that removing it removes nothing else
      const unmistakable = `qzx${text}qzx`;
      expect(everyPage(unmistakable).map((page) => frameOf(page, unmistakable))).toEqual(frames);
    }),
    runs(150),
  );
});

it('shows an unknown value as empty', () => {
  const context: OnboardingContext = {
    user: { email: '', name: '', organizationName: '' },
    domains: [],
    csrfToken: 'token',
    needsOrgCreation: true,
    suggestedOrgName: null,
  };
  const inSession = { sessionId: SESSION_ID, context, switchUser: '/sign-in', asksConsent: true };
  const link = { href: '/', label: 'Go' };
  for (const page of [
    pages.start({ application: undefined, asksConsent: false, signIn: link }),
    pages.createOrganization({ ...inSession, name: '' }),
    pages.consent({
      ...inSession,
      application: 'app.example',
      clientId: 'client',
      target: 'https://app.example/',
    }),
    pages.ready({ ...inSession, onward: undefined }),
    pages.done({ ...inSession, allowed: true, onward: undefined, again: link }),
    pages.fault({
      title: 'Title',
      text: 'Text',
      links: [],
      code: 'code',
      requestId: undefined,
      setAside: true,
    }),
  ]) {
    expect(page).not.toMatch(/undefined|null|\[object|<bdi><\/bdi>/);
  }
});

it('works without scripts, and loads only its style sheet', () => {
  for (const page of everyPage('x')) {
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i);
    expect(page.match(/<link [^>]+>/g)).toEqual([
      '<link rel="icon" href="data:,">',
      `<link rel="stylesheet" href="/onboarding${pages.stylePath}">`,
    ]);
  }
});

it.each([
  ['names its language', /<html lang="en">/],
  ['has a title', /<title>[^<]+ · Legate<\/title>/],
  [
    'has one landmark for its content, and one heading of the first level',
    /^(?!(.*<main){2})(?!(.*<h1){2}).*<main.*<h1/s,
  ],
  ['fits a phone', /<meta name="viewport" content="width=device-width, initial-scale=1">/],
])('every page %s', (_case, pattern) => {
  for (const page of everyPage('x')) expect(page).toMatch(pattern);
});

it('focuses the invalid field, describes the error, and names it in the title', () => {
  const context: OnboardingContext = {
    user: { email: 'dave@newco.example', name: 'Dave', organizationName: '' },
    domains: [],
    csrfToken: 'token',
    needsOrgCreation: true,
    suggestedOrgName: 'Newco',
  };
  const form = {
    sessionId: SESSION_ID,
    context,
    switchUser: '/sign-in',
    asksConsent: true,
    name: ' ',
  };
  const page = pages.createOrganization({ ...form, nameFault: 'Must not be empty.' });
  expect(page).toContain('<title>Error: Create your organization');
  expect(page).toContain('<p class="fault" id="name-fault">Error: Must not be empty.</p>');
  expect(page).toMatch(
    /<input id="name"[^>]+aria-invalid="true" aria-describedby="name-fault name-hint" autofocus>/,
  );
  expect(page.match(/autofocus/g)).toHaveLength(1);
  expect(page).toContain('<label for="name">');
});

it('escapes every value in a template except the page in its layout', () => {
  for (const view of readdirSync(VIEWS).filter((file) => file.endsWith('.eta'))) {
    const raw = readFileSync(`${VIEWS}${view}`, 'utf8').match(/<%[-_]?\s*~[^%]*%>/g);
    expect([view, raw]).toEqual([view, view === 'layout.eta' ? ['<%~ it.body %>'] : null]);
  }
});
