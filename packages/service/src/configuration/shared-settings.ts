/**
 * Descriptions of settings that several services have, so that they are equal in each. Its type, and whether it is
 * required, may differ between them.
 */
export const SHARED_SETTINGS = {
  PORT: { description: 'Port to listen on.', when: 'Developers for whom the default port is taken.' },
  PUBLIC_URL: {
    description:
      'URL at which browsers and applications reach the service. It is also the resource identifier of the hub, the issuer of its tokens, and the base of its problem types. The console has an origin, without a path. Unset at the management API: `RESOURCE`.',
    when: 'Everyone but developers on localhost; at the management API, operators of onboarding whose identity provider dictates a `RESOURCE` that is no address.',
    example: 'https://hub.example',
  },
  RESOURCE: {
    description:
      'Resource identifier of the service: the `aud` of access tokens for it. A tool server is also their issuer, and has its MCP endpoint at `/mcp` below it.',
    when: 'Everyone but developers on localhost.',
    example: 'https://api.example',
  },
  IDP_ISSUER: {
    description: 'Issuer of the identity provider, found by discovery. Compared with `iss` as a string.',
    when: 'Everyone: no other identity provider is trusted.',
    example: 'https://idp.example',
  },
  IDP_KIND: {
    description:
      'Which identity provider it is: a row of the [table of kinds](../reference/identity-providers.md#kinds), which gives other settings their defaults and names the claim that is the id of a user. The same in all services. Another kind may give every user another id, so that they count as new people.',
    when: 'Operators whose identity provider is in the table.',
    secret: false,
  },
  IDP_CLIENT_ID: {
    description:
      'Client id of the service at the identity provider. Redirect URIs of the client: `PUBLIC_URL/oauth/callback` of the hub, `PUBLIC_URL/bff/callback` of the console, `PUBLIC_URL/api/oauth/callback` of the management API with onboarding. Most consoles have the client of the hub. A tool server has the same id at the hub.',
    when: 'Operators of a hub, of a console, of a management API with a hub or with onboarding, and of the tools about sites.',
    example: 'tool-hub',
  },
  IDP_CLIENT_SECRET: {
    description: 'Secret of the client `IDP_CLIENT_ID`. Not allowed with `IDP_CLIENT_KEYS`.',
    when: 'Operators whose client at the identity provider has a secret instead of a key.',
    secret: true,
  },
  IDP_CLIENT_KEYS: {
    description:
      'Private JWKS of the client `IDP_CLIENT_ID`, for `private_key_jwt` instead of a secret. The first key signs, the others are only published: the public keys of the hub are at `PUBLIC_URL/oauth/client-jwks.json`. Each key has a `kid`.',
    when: 'Operators whose identity provider requires `private_key_jwt`, or who want no shared secret.',
    secret: true,
  },
  IDP_CLIENT_ASSERTION_AUDIENCE: {
    description:
      'The `aud` of assertions that `IDP_CLIENT_KEYS` sign. Unset: as the kind of the identity provider expects (`IDP_KIND`).',
    when: 'Operators whose identity provider expects another `aud` than its kind.',
    secret: false,
  },
  IDP_ADMIN_API_KEY: {
    description:
      'Key for the admin API of the identity provider, as `/admin` of mock-idp, which has none if it is unset.',
    when: 'Operators of onboarding, whose users create organizations, and developers of tests that mint tokens or rotate keys at mock-idp.',
    secret: true,
  },
  ORGANIZATION_CLAIM: {
    description:
      'Claim of tokens whose value is the organization’s id: the short form of `ORGANIZATION_RULE` with a claim alone. Users must not be able to choose its value. The same in all services. Unset: the claim of the kind of the identity provider (`IDP_KIND`), else `organization_id`.',
    when: 'Operators whose identity provider names the organization in another claim.',
    example: 'org_id',
    secret: false,
  },
  ORGANIZATION_RULE: {
    description:
      'How the organization of a token is found, as JSON, the same in all services: [a claim, a claim with a map, or one organization for everybody](../reference/identity-providers.md#the-organization-of-a-token). Not allowed with `ORGANIZATION_CLAIM`.',
    when: 'Operators whose identity provider names no organization, or names it in another way than by its id.',
    example: '{"claim":"tid","map":{"8eaf6f9f-6a0f-4c1e-9d6a-2f9d1c1b7a10":"org_acme"}}',
    secret: false,
  },
  ENCRYPTION_KEYS: {
    description:
      'Keys that encrypt data of the service in Redis and in cookies, as `id:base64` of 32 bytes each, separated by commas. The first key encrypts, all of them decrypt. Keys that sign cookies and forms are derived from them. Required with `REDIS_URL`; at the management API, with onboarding.',
    when: 'Operators in production, and again at each rotation; at the management API, those of onboarding.',
    secret: true,
  },
  SIGNING_KEYS: {
    description:
      'Private JWKS for the tokens of the service: ID tokens (RSA), access tokens of a tool server, transaction and actor tokens of the hub. The first key signs, the others are only published. Unset: a key is generated at start. Required in production; at the hub, with `TRANSACTION_TOKENS_FILE` or `IDP_ACTOR_TOKENS`.',
    when: 'Operators in production, because replicas share the keys, and tokens (at mock-idp also sign-ins) survive a restart.',
    secret: true,
  },
  RETURN_TO: {
    description:
      'Pages of applications to which users return, separated by commas: at the hub after they have connected an account, at the management API after onboarding, which by default ends at the first one. `URL|client_id` says which client of the identity provider the application is: then the pages of the service ask whether it may act for the user.',
    when: 'Operators whose application sends its users to connect accounts, or through onboarding.',
    example: 'https://app.example/welcome|frontend-app',
  },
  WORKLOADS: {
    description:
      'Services that may call paths below `/internal`, as `client=scope,scope`, separated by semicolons. Required in production at a hub with `MANAGEMENT_API_URL`, which otherwise receives no revocations. The audience of their tokens is `RESOURCE`, or `PUBLIC_URL` of the hub.',
    when: 'Operators with both a hub and a management API, or with tool servers that call the API for users.',
  },
  MANAGEMENT_API_URL: {
    description:
      'URL of the management API. The hub takes its connectors from there, unless it has `CONNECTORS_FILE`. For a tool server the URL is also the resource identifier.',
    when: 'Operators with a management API: all who have a console.',
    example: 'https://api.example',
  },
  MANAGEMENT_API_RESOURCE: {
    description:
      'Resource identifier of the management API, for which access tokens are requested. Unset: `MANAGEMENT_API_URL`.',
    when: 'Operators who reach the management API by an internal address, as on Kubernetes.',
    example: 'https://api.example',
  },
  TOOL_HUB_URL: {
    description:
      'URL of the tool hub. The management API sends revocations there, and a tool server gets transaction tokens: unset, they have no hub, and the server no tools about sites.',
    when: 'Operators with a tool hub: all who have a console.',
    example: 'https://hub.example',
  },
} as const;
