/**
 * The style of pages that services show to people, in a style element of the page, so that there is no further address:
 * colours for light and dark, and a card. Its text is the same on all pages that use it, whose policy names its hash.
 */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark; --background: #f3f4f7; --card: #ffffff; --text: #1b1f27; --soft: #555d6b; --line: #d5d9e0;
  --accent: #1d4ed8; --on-accent: #ffffff; --warning: #8a4b00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: #12151b; --card: #1c2129; --text: #eef1f6; --soft: #aab3c0; --line: #3a424f;
    --accent: #8ab4ff; --on-accent: #0b1220; --warning: #ffc37a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: 1.5rem 1rem; display: flex; align-items: center; justify-content: center;
  background: var(--background); color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main {
  width: 100%; max-width: 28rem; padding: 1.75rem; background: var(--card); border-radius: .75rem;
  box-shadow: 0 1px 3px rgb(0 0 0 / .16), 0 8px 24px rgb(0 0 0 / .08);
}
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
p { margin: 0; }
a { color: var(--accent); }
:is(button, a):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
