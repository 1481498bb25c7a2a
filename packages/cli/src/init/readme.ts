import { quote } from '../command-line/typed-line.ts';
import { developmentAddresses, isLoopback } from '../identity/addresses.ts';
import { CLONE, installCommands, type Plan } from './plan.ts';

const { issuer: DEVELOPMENT_ISSUER } = developmentAddresses({});

type Of<Kind> = Extract<Plan, { readonly kind: Kind }>;

/** Renders the README of a project: install, start, and use it. */
export const readmeOf = (plan: Plan, name: string): string =>
  plan.kind === 'agent' ? agent(plan, name) : toolServer(plan, name);

const install = (plan: Plan) => `## Install

Until the first release, a clone of the Legate repository packs the packages, after \`npm ci\` in it. Type its path in place of \`${CLONE}\`:

\`\`\`sh
${installCommands(plan).join('\n')}
\`\`\`

If you have all tarballs already, \`npm install <their folder>/*.tgz\` does the same.
`;

function toolServer(plan: Of<'tool-server'>, name: string): string {
  const isDevelopment = isLoopback(plan.issuer);
  const issuer = isDevelopment ? plan.issuer : DEVELOPMENT_ISSUER;
  const change = `The stack has an identity provider of its own, so for these steps write \`ISSUER=${issuer}\` in \`.env\`, and start the server again. `;
  return `# ${name}

An MCP server with three tools that know their user. \`src/main.ts\` makes it a tool server for Legate, \`src/notes.ts\` has the tools.

${install(plan)}
## Use it

Type all commands in this folder.

1. Start it. It listens at http://localhost:8080, and warns that keys and redeemed assertions are kept in memory: fine here, refused in production.

   \`\`\`sh
   npm start
   \`\`\`

2. In another terminal, examine it. The command says what is wrong, and what helps:

   \`\`\`sh
   npx legate doctor http://localhost:8080/mcp
   \`\`\`

3. Run the development stack: \`npm start\` in the clone. ${isDevelopment ? '' : change}Then have the server redeem valid and invalid ID-JAGs:

   \`\`\`sh
   export HUB_SECRET=$(sed -n 's/^HUB_SECRET=//p' .env)
   CLIENT_SECRET=$HUB_SECRET npx legate doctor http://localhost:8080/mcp --redeem --issuer ${quote(issuer)}
   \`\`\`

4. Register it there, at the identity provider and at the hub:

   \`\`\`sh
   CLONE=${CLONE}
   npm run -s register --prefix "$CLONE" -- http://localhost:8080
   \`\`\`

   If the stack uses other ports, first \`export\` its variables in this terminal, too: \`MOCK_IDP_PORT\`, \`MANAGEMENT_API_PORT\` and \`TOOL_HUB_PORT\`. Step 5 reads them as well.

5. Call a tool as Alice, a user of that stack. \`npx legate tools\` lists the names:

   \`\`\`sh
   npx legate call notes-on-${plan.framework}_create_note '{"text":"Hello"}' --yes
   \`\`\`

In a deployment, two administrators register it: \`docs/how-to/register-a-connector.md\` in the clone.

## Settings

In \`.env\`, which is not for version control, so that each copy of this project writes its own: \`HUB_SECRET\` is the secret of the client \`tool-hub\`, which an administrator also gives to the connector; \`ISSUER\` is the identity provider whose ID-JAGs are accepted, byte for byte as it spells itself; \`PORT\` is where it listens, and \`RESOURCE\` its public URL, if that is not \`http://localhost:{PORT}\`. A variable that is exported wins over \`.env\`.

Keys, redeemed assertions and notes are kept in memory. In production, give \`createToolServer\` \`signingKeys\` and \`oneTimeStore\`, and keep notes in a database, by \`userKey\`.
`;
}

const agent = (plan: Of<'agent'>, name: string) => `# ${name}

An agent on LangGraph in a terminal. It calls tools as its user, and asks before each call that changes something. \`src/main.ts\` is the agent, \`src/sign-in.ts\` signs the user in with their browser.

${install(plan)}
## Use it

${
  isLoopback(plan.issuer)
    ? 'It needs the development stack: `npm start` in the clone.'
    : `It needs a client of its own at ${plan.issuer}: write its id into \`.env\`, as \`CLIENT_ID\`.`
}

\`\`\`sh
npm start
\`\`\`

Open the address that it prints, and sign in; in the development stack as \`alice@acme.example\` with the password \`legate-demo\`. Then type \`Write down: buy milk\`.

An empty line ends the program and its session. Ctrl-C ends only the program, which asks the same question at its next start; the hub ends the session after a day without use.

The model is a script that knows this one sentence. For a real one, return a chat model of LangChain from \`src/model.ts\`. \`npx legate tools\` lists the tools of the development stack that Alice may call.

## Settings

In \`.env\`: \`HUB\` is the tool hub, \`ISSUER\` the identity provider, and \`CLIENT_ID\` this program there: a public client with a redirect URI on loopback, which the hub accepts (\`ACCEPTED_AUDIENCES\`). \`AGENT\` is the id of an agent (\`agt_…\`) that an administrator has made for this program: it decides which tools there are and which calls ask, and the audit trail names it. Empty: no agent.
`;
