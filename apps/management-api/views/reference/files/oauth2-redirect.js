// Gives the provider's answer to the page that asked for it, and closes this window. The code is of no use to anybody else:
// only that page has its PKCE verifier.
const channel = new BroadcastChannel('legate-reference-sign-in');
const answer = location.search.slice(1);
history.replaceState(null, '', location.pathname); // keeps the code out of the history
channel.onmessage = ({ data }) => {
  if (data === 'done') window.close();
};
channel.postMessage(answer);
