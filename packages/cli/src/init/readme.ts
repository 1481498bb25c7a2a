import { type Plan, packageOf } from './plan.ts';

/** Renders the README of a project: install, start, and use it. */
export const readmeOf = (plan: Plan, name: string): string =>
  plan.kind === 'agent' ? agent(plan, name) : toolServer(plan, name);

const install = (plan: Plan) => `## Install

Until the first release, a clone of the Legate repository packs the packages. With its path in \`CLONE\`:

\`\`\`sh
npm run -s pack --prefix $CLONE -- packages ${packageOf(plan)}
npm install ./packages/*.tgz
\`\`\`
`;

const toolServer = (plan: Plan, name: string) => `# ${name}

An MCP server with three tools that know their user. \`src/main.ts\` makes it a tool server for Legate, \`src/notes.ts\` has the tools.

${install(plan)}
## Use it

1. Start it. It listens at http://localhost:8080:

   \`\`\`sh
   npm start
   \`\`\`

2. Register it at the hub. In the clone, where \`npm start\` runs the development stack, with the path of this folder in \`PROJECT\`:

   \`\`\`sh
   export HUB_SECRET=$(sed -n 's/^HUB_SECRET=//p' $PROJECT/.env)
   npm run -s register -- http://localhost:8080
   \`\`\`

3. Call a tool as Alice, in the clone. \`npx legate tools\` lists the names:

   \`\`\`sh
   npx legate call notes-on-${plan.kind === 'tool-server' ? plan.framework : ''}_create_note '{"text":"Hello"}' --yes
   \`\`\`

\`npx legate doctor http://localhost:8080/mcp\` says what is wrong with it.

## Settings

In \`.env\`, which is not for version control, so that each clone writes its own: \`HUB_SECRET\` is the secret of the client \`tool-hub\`, which an administrator also gives to the connector; \`ISSUER\` is the identity provider whose ID-JAGs are accepted; \`PORT\` is where it listens, and \`RESOURCE\` its public URL, if that is not \`http://localhost:{PORT}\`.

Keys, redeemed assertions and notes are kept in memory. In production, give \`createToolServer\` \`signingKeys\` and \`oneTimeStore\`, and keep notes in a database, by \`userKey\`.
`;

const agent = (plan: Plan, name: string) => `# ${name}

An agent on LangGraph in a terminal. It calls tools as its user, and asks before each call that changes something. \`src/main.ts\` is the agent, \`src/sign-in.ts\` signs the user in with their browser.

${install(plan)}
## Use it

\`\`\`sh
npm start
\`\`\`

Open the address that it prints, and sign in; in the development stack as \`alice@acme.example\` with the password \`legate-demo\`. Then type \`Write down: buy milk\`.

The model is a script that knows this one sentence. For a real one, return a chat model of LangChain from \`src/model.ts\`. \`npx legate tools\` in the clone lists the tools that you may call.

## Settings

In \`.env\`: \`HUB\` is the tool hub, \`ISSUER\` the identity provider, and \`CLIENT_ID\` this program there: a public client with a redirect URI on loopback, which the hub accepts (\`ACCEPTED_AUDIENCES\`). \`AGENT\` is the id of an agent (\`agt_…\`) that an administrator has made for this program: it decides which tools there are and which calls ask, and the audit trail names it. Empty: no agent.
`;
