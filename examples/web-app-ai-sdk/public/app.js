// The page: shows the chat as the server has it, and sends what the user types and decides.
const $ = (id) => document.getElementById(id);

/** Makes an element; `text` is never read as HTML, because tool servers and models write it. */
function element(tag, { text, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
}

/** Sends a request to the server, and shows the chat in the response. */
async function send(path, body) {
  setBusy(true);
  try {
    const answer = await fetch(`/api/chat${path}`, {
      ...(body && {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (answer.status === 401) return showSignedOut();
    if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
    show(await answer.json());
    $('fault').textContent = '';
  } catch (error) {
    $('fault').textContent = `That did not work: ${error.message}`;
  } finally {
    setBusy(false);
  }
}

function setBusy(isBusy) {
  $('chat').ariaBusy = String(isBusy);
  for (const button of document.querySelectorAll('#chat button')) button.disabled = isBusy;
}

function showSignedOut() {
  $('signed-out').hidden = false;
  $('chat').hidden = true;
  $('sign-out').hidden = true;
}

function show({ user, lines, asked, connect, signIn }) {
  $('signed-out').hidden = true;
  $('chat').hidden = false;
  $('sign-out').hidden = false;
  $('user').textContent = user.email;
  $('lines').replaceChildren(...lines.map(({ who, text }) => element('li', { className: who, text })));
  $('cards').replaceChildren(
    ...asked.map(approvalCard),
    ...connect.map(connectCard),
    ...(signIn ? [signInCard()] : []),
  );
  $('text').disabled = asked.length > 0;
  (document.querySelector('.approval button') ?? $('text')).focus();
}

/** Shows a call that waits for its user: the tool, its arguments, and the user for whom it runs. */
function approvalCard({ id, text }) {
  const [title, ...details] = text.split('\n');
  const decide = (approved) => () => send('/decide', { id, approved });
  return element(
    'li',
    { className: 'card approval' },
    element('h2', { text: title }),
    element('pre', { text: details.join('\n') }),
    element('button', { text: 'Allow', onclick: decide(true) }),
    element('button', { text: 'Refuse', className: 'plain', onclick: decide(false) }),
  );
}

const connectCard = ({ connectorId, name }) =>
  element(
    'li',
    { className: 'card' },
    element('h2', { text: `Connect ${name}` }),
    element('p', { text: 'Its tools need your own account there.' }),
    element('a', { className: 'button', href: `/connect/${connectorId}`, text: 'Connect' }),
  );

const signInCard = () =>
  element(
    'li',
    { className: 'card' },
    element('h2', { text: 'Your sign-in has ended' }),
    element('a', { className: 'button', href: '/sign-in', text: 'Sign in again' }),
  );

$('say').onsubmit = async (event) => {
  event.preventDefault();
  const text = $('text').value;
  $('say').reset();
  await send('/say', { text });
};

await send('');
