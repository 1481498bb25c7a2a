/**
 * The style sheet of all pages that services show to people: one card, no script. Served as a file, or in a style element of
 * the page, whose policy names its hash. A test computes the contrasts (WCAG 2.2 §1.4.3, §1.4.11).
 */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark; --background: #f3f4f7; --card: #ffffff; --text: #1b1f27; --muted: #555d6b; --line: #8a92a1;
  --accent: #1f4fd1; --accent-text: #ffffff; --danger: #a61b1b; --danger-background: #fdeeee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: #12151b; --card: #1c2129; --text: #eef1f6; --muted: #aeb6c4; --line: #7a8496;
    --accent: #8fb0ff; --accent-text: #0d1423; --danger: #ffb4b4; --danger-background: #3a1d1f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: 1.5rem 1rem; display: flex; flex-direction: column; align-items: center;
  justify-content: center; gap: 1rem; background: var(--background); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main {
  width: 100%; max-width: 28rem; padding: 1.75rem; background: var(--card); border-radius: .75rem;
  box-shadow: 0 1px 3px rgb(0 0 0 / .16), 0 8px 24px rgb(0 0 0 / .08); overflow-wrap: anywhere;
}
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 1.25rem 0 .5rem; font-size: 1rem; }
p { margin: 0 0 1rem; }
ul, ol { margin: 0 0 1rem; padding-left: 1.25rem; }
dl { margin: 1rem 0; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
dt { color: var(--muted); font-size: .875rem; }
dt:not(:first-child) { margin-top: .5rem; }
dd { margin: 0; }
code { font-size: .9rem; }
a { color: var(--accent); }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
input {
  width: 100%; padding: .7rem .75rem; font: inherit; color: inherit; background: transparent;
  border: 1px solid var(--line); border-radius: .5rem;
}
input[aria-invalid="true"] { border-color: var(--danger); border-width: 2px; }
button, .button {
  display: block; width: 100%; min-height: 2.75rem; margin-top: 1.25rem; padding: .6rem 1rem; font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; color: var(--accent-text); background: var(--accent);
  border: 1px solid var(--accent); border-radius: .5rem; cursor: pointer;
}
.quiet { margin-top: .75rem; color: var(--text); background: transparent; border-color: var(--line); }
:is(.button, form) + p { margin-top: 1.25rem; }
:is(input, button, a, .alert):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.alert, .notice { margin: 1rem 0; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; }
.alert { color: var(--danger); background: var(--danger-background); border-color: var(--danger); }
.fault { margin: 0 0 .5rem; color: var(--danger); font-weight: 600; }
.hint { margin: 0 0 .5rem; }
footer, .muted, .hint { color: var(--muted); font-size: .875rem; }
footer { max-width: 28rem; text-align: center; overflow-wrap: anywhere; }
footer p { margin-bottom: 0; }
main > :last-child { margin-bottom: 0; }
`;
