import { problem } from './problem.ts';

export const inspector = {
  lead: 'Runs the steps of a tool call as you, and shows each token: decoded, without its signature, and not stored. The last step lists the tools; no tool is called.',
  connector: 'Connector',
  run: 'Run as me',
  noConnector: 'Choose a connector.',
  noConnectors: 'There is no connector that you may use.',
  forbidden: (role: string | null) => `${problem.forbidden(role)} Owners, administrators and developers can.`,
  fromEvent: 'The claims of that call were not stored. This is a new run, as you.',
  steps: 'How far it got',
  step: {
    sign_in: { title: 'Sign-in', how: 'The ID token with which the console calls the hub as you' },
    id_jag: { title: 'Leg 1: ID token → ID-JAG', how: 'Token exchange at the identity provider, RFC 8693' },
    access_token: {
      title: 'Leg 2: ID-JAG → access token',
      how: 'JWT bearer grant at the tool server’s authorization server, RFC 7523',
    },
    call: { title: 'Call', how: 'MCP tools/list at the tool server, with the access token' },
  },
  states: {
    passed: 'checked by the hub',
    failed: 'ended here',
    not_reached: 'not reached',
    not_used: 'not used by this connector',
  },
  examine: 'All checks of this connector',
  opaque: 'This token is not a JWT: nobody but its issuer can read it.',
  granted: 'Granted:',
  claims: 'What the tokens contain',
  claimsText: 'Values that identify one token or sign-in are hashed.',
  claim: 'Claim',
  tokens: { id_token: 'ID token', id_jag: 'ID-JAG', access_token: 'Access token' },
  absent: '–',
  since: { same: 'the same', changed: 'changed' },
};

export interface ClaimWords {
  readonly means: string;
  /** Where the member is defined */
  readonly section: string;
}

/** Meanings of the members of headers and claims, by name. */
export const claims: Readonly<Record<string, ClaimWords | undefined>> = {
  typ: {
    means: 'The kind of token, so that one kind is not accepted as another.',
    section: 'RFC 8725 §3.11',
  },
  alg: { means: 'The algorithm of the signature.', section: 'RFC 7515 §4.1.1' },
  kid: { means: 'The key of the issuer that signed it.', section: 'RFC 7515 §4.1.4' },
  iss: { means: 'The issuer of the token.', section: 'RFC 7519 §4.1.1' },
  sub: {
    means: 'The person whom it is about. It must stay the same in every token.',
    section: 'RFC 7519 §4.1.2',
  },
  aud: { means: 'The only recipient that may accept it.', section: 'RFC 7519 §4.1.3' },
  exp: { means: 'When it expires.', section: 'RFC 7519 §4.1.4' },
  nbf: { means: 'When it becomes valid.', section: 'RFC 7519 §4.1.5' },
  iat: { means: 'When it was issued.', section: 'RFC 7519 §4.1.6' },
  jti: { means: 'The id of the token: an ID-JAG is accepted only once.', section: 'RFC 7519 §4.1.7' },
  resource: { means: 'The address at which it may be used.', section: 'RFC 8707 §2' },
  client_id: { means: 'The client that may use it.', section: 'RFC 8693 §4.3' },
  scope: { means: 'What it may be used for.', section: 'RFC 8693 §4.2' },
  act: { means: 'The agent that acts for the person.', section: 'RFC 8693 §4.1' },
  azp: { means: 'The client to which it was issued.', section: 'OpenID Connect Core §2' },
  nonce: { means: 'Binds it to one sign-in.', section: 'OpenID Connect Core §2' },
  auth_time: { means: 'When the person signed in.', section: 'OpenID Connect Core §2' },
  acr: { means: 'How strong the sign-in was.', section: 'OpenID Connect Core §2' },
  amr: { means: 'How the person signed in.', section: 'OpenID Connect Core §2' },
  at_hash: { means: 'Binds it to the access token beside it.', section: 'OpenID Connect Core §3.1.3.6' },
  sid: { means: 'The sign-in, which a sign-out ends.', section: 'Back-Channel Logout §2.1' },
  email: { means: 'The address of the person.', section: 'OpenID Connect Core §5.1' },
  email_verified: { means: 'Whether the address was verified.', section: 'OpenID Connect Core §5.1' },
  name: { means: 'The name of the person.', section: 'OpenID Connect Core §5.1' },
  organization_id: {
    means: 'The organization for which it is valid. It must stay the same in every token.',
    section: 'Legate',
  },
  roles: { means: 'Roles of the person there.', section: 'Legate' },
  idp: { means: 'The identity provider that signed the person in.', section: 'Legate' },
};
