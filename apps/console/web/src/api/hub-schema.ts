// Made of the OpenAPI document of the hub by `npm run contract`.

export interface paths {
    "/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the connectors that the user may use */
        get: operations["listConnectors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connectors/{connector_id}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools of a connector
         * @description As the tool server lists them to this user; of those bound to the agent, where one acts.
         */
        get: operations["listTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connectors/{connector_id}/tools/{name}/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a tool as the user
         * @description The tool may have its effect although the answer is a problem: 503, for one, may come after it.
         */
        post: operations["callTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{call_id}/explanation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say why a call ended as it did
         * @description For the user who made the call, and for administrators of the organization.
         */
        get: operations["explainCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connectors/{connector_id}/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Find out what is wrong with a connector */
        post: operations["examineConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Examine a tool server that is no connector yet
         * @description For administrators of the organization.
         */
        post: operations["examineAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connectors/{connector_id}/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Say whether the user has connected an account */
        get: operations["getConnection"];
        put?: never;
        /** Get a link by which the user connects an account */
        post: operations["connectAccount"];
        /** Disconnect the account of the user */
        delete: operations["disconnectAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the accounts that the user has connected
         * @description One row for each connector at which users connect accounts, whether this one has or not.
         */
        get: operations["listConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sessions of the user in this organization */
        get: operations["listSessions"];
        put?: never;
        /** Open a session that outlives the ID token */
        post: operations["openSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a session of the user */
        delete: operations["endOneSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End the session of this handle */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign the user out of the hub
         * @description Ends the sessions of the user in this organization, and refuses ID tokens issued before.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the MCP clients that act as the user */
        get: operations["listClients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove an MCP client */
        delete: operations["removeClient"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the rules by which calls end, with what helps */
        get: operations["listRules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this description */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Problem details (RFC 9457) */
        Problem: {
            /** Format: uri */
            type: string;
            title: string;
            status: number;
            /** @description Stable: decide by it */
            code: string;
            detail?: string;
            instance: string;
            request_id: string;
            errors?: {
                pointer?: string;
                parameter?: string;
                header?: string;
                code: string;
                detail: string;
            }[];
            /** @description Why a bearer token is refused */
            reason?: string;
            /** @description Names of the claims for which an ID token is refused */
            claims?: string[];
            connector_id?: string;
            required_scope?: string;
            /** @description What helps against a denial, as at `/mcp` */
            authorization?: {
                /** @enum {string} */
                remediation: "available" | "out_of_band" | "none";
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        Connector: {
            id: string;
            /** @description Short name, in front of the names of its tools at `/mcp` */
            slug: string;
            name: string;
            /** @description Resource identifier of the tool server */
            resource: string;
            auth_method: string;
            scopes: string[];
        };
        /** @description As its tool server describes it: untrusted */
        Tool: {
            /** @description At its tool server */
            name: string;
            /** @description At `/mcp`. Absent: it can have none there */
            mcp_name?: string;
            title?: string;
            description?: string;
            /** @description JSON Schema of its arguments */
            inputSchema?: unknown;
            _meta?: {
                /**
                 * @description Whether the user is to be asked before a call. Absent: no agent is named
                 * @enum {string}
                 */
                "legate/approval"?: "required" | "not-required";
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description As MCP has it, and as the tool server wrote it */
        CallToolResult: {
            content?: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            structuredContent?: unknown;
            /** @description The tool ran, and says that it failed */
            isError?: boolean;
        } & {
            [key: string]: unknown;
        };
        Explanation: {
            call_id: string;
            /** Format: date-time */
            occurred_at: string;
            organization_id: string;
            user_id: string;
            agent_id: string | null;
            connector_id: string | null;
            tool: string | null;
            outcome: string;
            /** @description The part that decided: stable */
            leg: string;
            /** @description By which rule: stable */
            rule: string;
            /** @description What happened, for people */
            summary: string;
            /** @description What helps, and who can do it */
            remedy: string;
            /** @description Path at which an administrator examines the connector */
            doctor: string | null;
            reason: string | null;
            method: string | null;
            cache: string | null;
            request_id: string | null;
            trace_id: string | null;
            caller_request_id: string | null;
            caller_trace_id: string | null;
            durations: {
                [key: string]: number;
            };
        };
        DoctorReport: {
            connector_id: string;
            /** Format: date-time */
            examined_at: string;
            /** @enum {string} */
            status: "ok" | "warn" | "fail";
            first_fault: components["schemas"]["Check"] | null;
            checks: components["schemas"]["Check"][];
            /** @description Tokens of this run in their order, as far as it came; with `legs: true` */
            legs?: components["schemas"]["ExaminedToken"][];
        };
        Check: {
            /** @enum {string} */
            check: "reachable" | "resource_metadata" | "resource_identifier" | "authorization_servers" | "server_metadata" | "issuer" | "grant" | "token_endpoint" | "client_authentication" | "jwks" | "clock" | "scopes" | "challenge" | "origin" | "token_exchange" | "id_jag" | "redemption" | "tools_list";
            /** @enum {string} */
            status: "ok" | "warn" | "fail" | "skipped";
            detail?: string;
            remedy?: string | null;
            evidence?: {
                [key: string]: unknown;
            };
        };
        ExaminedToken: {
            /** @enum {string} */
            leg: "id_token" | "id_jag" | "access_token";
            /** @description Where it was obtained */
            endpoint: string | null;
            /** @description Null for a token that is no JWT */
            header: {
                [key: string]: unknown;
            } | null;
            /** @description What identifies the token (`jti`, `nonce`, …) is hashed */
            claims: {
                [key: string]: unknown;
            } | null;
            scopes: string[] | null;
            expires_at: string | null;
        };
        /** @description Without the checks that need a user */
        AddressReport: {
            resource_url: string;
            /** Format: date-time */
            examined_at: string;
            /** @enum {string} */
            status: "ok" | "warn" | "fail";
            first_fault: components["schemas"]["Check"] | null;
            checks: components["schemas"]["Check"][];
        };
        ConnectedAccount: {
            connector_id: string;
            name: string;
            /** @description Resource identifier of the tool server */
            resource: string;
            connected: boolean;
            scopes: string[];
            expires_at: string | null;
        };
        Session: {
            /** @description Names the session; not its handle */
            id: string;
            /** @description The application, or the MCP client */
            client_id: string;
            agent_id: string | null;
            /** Format: date-time */
            opened_at: string;
            /**
             * Format: date-time
             * @description May be behind by a tenth of the idle time
             */
            last_used_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description The hub renews its ID token */
            renewable: boolean;
            /** @description The request came in it */
            current: boolean;
        };
        AllowedClient: {
            client_id: string;
            name: string | null;
            agent_id: string | null;
            resources: string[];
            sessions: number;
            /** Format: date-time */
            allowed_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        Rule: {
            /** @description The part that decides: stable */
            leg: string;
            /** @description Unique within its leg: stable */
            rule: string;
            outcome: string;
            /** @description What happened, for people */
            summary: string;
            /** @description What helps, and who can do it */
            remedy: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listConnectors: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Connector"][];
                        pagination: {
                            /** @description Items in the whole list */
                            total: number;
                            /** @description Size of this page: as asked for, or the number of its items where more would have been too many bytes */
                            limit: number;
                            /** @description Items before this page */
                            offset: number;
                            /** @description Whether items follow this page: they begin at `offset` plus `limit` */
                            has_more: boolean;
                        };
                    };
                };
            };
            /** @description `malformed_json`, `validation_failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_json" | "validation_failed";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied`, `agent_unknown`, `agent_inactive`, `agent_required`, `agent_unauthenticated`, `agent_mismatch` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied" | "agent_unknown" | "agent_inactive" | "agent_required" | "agent_unauthenticated" | "agent_mismatch";
                    };
                };
            };
            /** @description `connector_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "connector_not_found";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `connector_misconfigured` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 502;
                        /** @enum {unknown} */
                        code?: "connector_misconfigured";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy";
                    };
                };
            };
        };
    };
    listTools: {
        parameters: {
            query?: never;
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path: {
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Legate-Acts-As"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tools: components["schemas"]["Tool"][];
                    };
                };
            };
            /** @description `malformed_path`, `malformed_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_path" | "malformed_json";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out`, `sign_in_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out" | "sign_in_required";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied`, `agent_unknown`, `agent_inactive`, `agent_required`, `agent_unauthenticated`, `agent_mismatch`, `connection_required`, `delegation_denied`, `fallback_not_approved`, `tool_forbidden`, `access_revoked` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied" | "agent_unknown" | "agent_inactive" | "agent_required" | "agent_unauthenticated" | "agent_mismatch" | "connection_required" | "delegation_denied" | "fallback_not_approved" | "tool_forbidden" | "access_revoked";
                    };
                };
            };
            /** @description `not_found`, `connector_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "not_found" | "connector_not_found";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `connector_misconfigured`, `tool_server_error` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 502;
                        /** @enum {unknown} */
                        code?: "connector_misconfigured" | "tool_server_error";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy`, `tool_server_unavailable`, `token_store_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy" | "tool_server_unavailable" | "token_store_unavailable";
                    };
                };
            };
        };
    };
    callTool: {
        parameters: {
            query?: never;
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path: {
                connector_id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description At most 64 levels deep */
                    arguments?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Legate-Acts-As"?: string;
                    "Legate-Token-Cache"?: string;
                    "Legate-Call-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallToolResult"];
                };
            };
            /** @description `malformed_path`, `malformed_json`, `validation_failed`, `invalid_arguments`, `agent_capability_missing` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_path" | "malformed_json" | "validation_failed" | "invalid_arguments" | "agent_capability_missing";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out`, `sign_in_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out" | "sign_in_required";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied`, `agent_unknown`, `agent_inactive`, `agent_required`, `agent_unauthenticated`, `agent_mismatch`, `connection_required`, `delegation_denied`, `fallback_not_approved`, `tool_forbidden`, `access_revoked` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied" | "agent_unknown" | "agent_inactive" | "agent_required" | "agent_unauthenticated" | "agent_mismatch" | "connection_required" | "delegation_denied" | "fallback_not_approved" | "tool_forbidden" | "access_revoked";
                    };
                };
            };
            /** @description `not_found`, `connector_not_found`, `tool_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "not_found" | "connector_not_found" | "tool_not_found";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `connector_misconfigured`, `tool_server_error` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 502;
                        /** @enum {unknown} */
                        code?: "connector_misconfigured" | "tool_server_error";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy`, `tool_server_unavailable`, `token_store_unavailable`, `audit_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy" | "tool_server_unavailable" | "token_store_unavailable" | "audit_unavailable";
                    };
                };
            };
        };
    };
    explainCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path: {
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            /** @description `malformed_path`, `malformed_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_path" | "malformed_json";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied";
                    };
                };
            };
            /** @description `not_found`, `call_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "not_found" | "call_not_found";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy`, `explanations_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy" | "explanations_unavailable";
                    };
                };
            };
        };
    };
    examineConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path: {
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Also show the tokens of this run, decoded and without their signatures
                     * @default false
                     */
                    legs?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoctorReport"];
                };
            };
            /** @description `malformed_path`, `malformed_json`, `validation_failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_path" | "malformed_json" | "validation_failed";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied`, `agent_unknown`, `agent_inactive`, `agent_required`, `agent_unauthenticated`, `agent_mismatch`, `insufficient_permission` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied" | "agent_unknown" | "agent_inactive" | "agent_required" | "agent_unauthenticated" | "agent_mismatch" | "insufficient_permission";
                    };
                };
            };
            /** @description `not_found`, `connector_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "not_found" | "connector_not_found";
                    };
                };
            };
            /** @description `examination_running` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 409;
                        /** @enum {unknown} */
                        code?: "examination_running";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `connector_misconfigured` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 502;
                        /** @enum {unknown} */
                        code?: "connector_misconfigured";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy";
                    };
                };
            };
        };
    };
    examineAddress: {
        parameters: {
            query?: never;
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The MCP endpoint of a tool server, or its resource identifier */
                    resource_url: string;
                    /** @description The authorization server that a connector would be pinned to */
                    issuer?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressReport"];
                };
            };
            /** @description `malformed_json`, `validation_failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_json" | "validation_failed";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied`, `insufficient_permission` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied" | "insufficient_permission";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy";
                    };
                };
            };
        };
    };
    getConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path: {
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        connected: boolean;
                        scopes: string[];
                        expires_at: string | null;
                    };
                };
            };
            /** @description `malformed_path`, `malformed_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_path" | "malformed_json";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied`, `agent_unknown`, `agent_inactive`, `agent_required`, `agent_unauthenticated`, `agent_mismatch` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied" | "agent_unknown" | "agent_inactive" | "agent_required" | "agent_unauthenticated" | "agent_mismatch";
                    };
                };
            };
            /** @description `not_found`, `connector_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "not_found" | "connector_not_found";
                    };
                };
            };
            /** @description `connection_not_used` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 409;
                        /** @enum {unknown} */
                        code?: "connection_not_used";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `connector_misconfigured` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 502;
                        /** @enum {unknown} */
                        code?: "connector_misconfigured";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy`, `token_store_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy" | "token_store_unavailable";
                    };
                };
            };
        };
    };
    connectAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path: {
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default [] */
                    scopes?: string[];
                    return_to?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uri
                         * @description For the browser of this user: works once, within two minutes
                         */
                        authorize_url: string;
                        /** Format: date-time */
                        expires_at: string;
                    };
                };
            };
            /** @description `malformed_path`, `malformed_json`, `validation_failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_path" | "malformed_json" | "validation_failed";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied`, `agent_unknown`, `agent_inactive`, `agent_required`, `agent_unauthenticated`, `agent_mismatch`, `delegation_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied" | "agent_unknown" | "agent_inactive" | "agent_required" | "agent_unauthenticated" | "agent_mismatch" | "delegation_denied";
                    };
                };
            };
            /** @description `not_found`, `connector_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "not_found" | "connector_not_found";
                    };
                };
            };
            /** @description `connection_not_used` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 409;
                        /** @enum {unknown} */
                        code?: "connection_not_used";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `connector_misconfigured`, `tool_server_error` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 502;
                        /** @enum {unknown} */
                        code?: "connector_misconfigured" | "tool_server_error";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy`, `tool_server_unavailable`, `token_store_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy" | "tool_server_unavailable" | "token_store_unavailable";
                    };
                };
            };
        };
    };
    disconnectAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path: {
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `malformed_path`, `malformed_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_path" | "malformed_json";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied`, `insufficient_permission`, `agent_unknown`, `agent_inactive`, `agent_required`, `agent_unauthenticated`, `agent_mismatch` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied" | "insufficient_permission" | "agent_unknown" | "agent_inactive" | "agent_required" | "agent_unauthenticated" | "agent_mismatch";
                    };
                };
            };
            /** @description `not_found`, `connector_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "not_found" | "connector_not_found";
                    };
                };
            };
            /** @description `connection_not_used` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 409;
                        /** @enum {unknown} */
                        code?: "connection_not_used";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `connector_misconfigured` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 502;
                        /** @enum {unknown} */
                        code?: "connector_misconfigured";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy`, `token_store_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy" | "token_store_unavailable";
                    };
                };
            };
        };
    };
    listConnections: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConnectedAccount"][];
                        pagination: {
                            /** @description Items in the whole list */
                            total: number;
                            /** @description Size of this page: as asked for, or the number of its items where more would have been too many bytes */
                            limit: number;
                            /** @description Items before this page */
                            offset: number;
                            /** @description Whether items follow this page: they begin at `offset` plus `limit` */
                            has_more: boolean;
                        };
                    };
                };
            };
            /** @description `malformed_json`, `validation_failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_json" | "validation_failed";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied`, `agent_unknown`, `agent_inactive`, `agent_required`, `agent_unauthenticated`, `agent_mismatch` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied" | "agent_unknown" | "agent_inactive" | "agent_required" | "agent_unauthenticated" | "agent_mismatch";
                    };
                };
            };
            /** @description `connector_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "connector_not_found";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `connector_misconfigured` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 502;
                        /** @enum {unknown} */
                        code?: "connector_misconfigured";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy`, `token_store_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy" | "token_store_unavailable";
                    };
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"][];
                        pagination: {
                            /** @description Items in the whole list */
                            total: number;
                            /** @description Size of this page: as asked for, or the number of its items where more would have been too many bytes */
                            limit: number;
                            /** @description Items before this page */
                            offset: number;
                            /** @description Whether items follow this page: they begin at `offset` plus `limit` */
                            has_more: boolean;
                        };
                    };
                };
            };
            /** @description `malformed_json`, `validation_failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_json" | "validation_failed";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied`, `insufficient_permission` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied" | "insufficient_permission";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy";
                    };
                };
            };
        };
    };
    openSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    refresh_token?: string;
                    client_id?: string;
                    agent_id?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The handle: a bearer token in place of the ID token */
                        session: string;
                        /** Format: date-time */
                        expires_at: string;
                        agent_id?: string;
                    };
                };
            };
            /** @description `malformed_json`, `validation_failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_json" | "validation_failed";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied`, `agent_unknown`, `agent_inactive`, `agent_required`, `agent_unauthenticated`, `agent_mismatch`, `id_token_required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied" | "agent_unknown" | "agent_inactive" | "agent_required" | "agent_unauthenticated" | "agent_mismatch" | "id_token_required";
                    };
                };
            };
            /** @description `connector_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "connector_not_found";
                    };
                };
            };
            /** @description `refresh_token_in_use` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 409;
                        /** @enum {unknown} */
                        code?: "refresh_token_in_use";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `connector_misconfigured` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 502;
                        /** @enum {unknown} */
                        code?: "connector_misconfigured";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy";
                    };
                };
            };
        };
    };
    endOneSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `malformed_path`, `malformed_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_path" | "malformed_json";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied`, `insufficient_permission` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied" | "insufficient_permission";
                    };
                };
            };
            /** @description `not_found`, `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "not_found" | "session_not_found";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy";
                    };
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `malformed_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_json";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied";
                    };
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "session_not_found";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy";
                    };
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `malformed_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_json";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied`, `insufficient_permission` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied" | "insufficient_permission";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy`, `token_store_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy" | "token_store_unavailable";
                    };
                };
            };
        };
    };
    listClients: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AllowedClient"][];
                        pagination: {
                            /** @description Items in the whole list */
                            total: number;
                            /** @description Size of this page: as asked for, or the number of its items where more would have been too many bytes */
                            limit: number;
                            /** @description Items before this page */
                            offset: number;
                            /** @description Whether items follow this page: they begin at `offset` plus `limit` */
                            has_more: boolean;
                        };
                    };
                };
            };
            /** @description `malformed_json`, `validation_failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_json" | "validation_failed";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied`, `insufficient_permission` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied" | "insufficient_permission";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy";
                    };
                };
            };
        };
    };
    removeClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description The agent that acts for the user */
                "Legate-Agent-Id"?: string;
            };
            path: {
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `malformed_path`, `malformed_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "malformed_path" | "malformed_json";
                    };
                };
            };
            /** @description `token_missing`, `token_invalid`, `token_expired`, `organization_id_required`, `session_ended`, `signed_out` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "token_missing" | "token_invalid" | "token_expired" | "organization_id_required" | "session_ended" | "signed_out";
                    };
                };
            };
            /** @description `user_id_unsupported`, `organization_suspended`, `membership_revoked`, `consent_denied`, `insufficient_permission` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "user_id_unsupported" | "organization_suspended" | "membership_revoked" | "consent_denied" | "insufficient_permission";
                    };
                };
            };
            /** @description `not_found`, `client_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "not_found" | "client_not_found";
                    };
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limit_exceeded`, `concurrency_exceeded` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 429;
                        /** @enum {unknown} */
                        code?: "rate_limit_exceeded" | "concurrency_exceeded";
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `idp_unavailable`, `session_store_unavailable`, `connectors_unavailable`, `hub_busy` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "idp_unavailable" | "session_store_unavailable" | "connectors_unavailable" | "hub_busy";
                    };
                };
            };
        };
    };
    listRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        rules: components["schemas"]["Rule"][];
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
}
