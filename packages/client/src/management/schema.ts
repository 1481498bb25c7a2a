// Made of the OpenAPI document of the management API by `npm run contract`.

export interface paths {
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller and their permissions
         * @description Also for a token without an organization: `organization` and `role` are then null. Open to owners and admins while the organization is suspended or deleted.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rate-limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the rate limit
         * @description Does not count against the limit that it shows; at most 60 requests a minute per user. While several users of an organization call, each may make half of its requests, and `remaining` is the smaller of both. Open to owners while the organization is suspended or deleted.
         */
        get: operations["getRateLimit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/consents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what you have decided about applications
         * @description By `client_id`. An application that is not listed is allowed, as one that was approved is. Needs the scope `members:read`.
         */
        get: operations["listConsents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/consents/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Allow or deny an application to act for you
         * @description What a denied application asks for in your name is refused: here within a second, at the hub within 30 seconds. It cannot undo that itself: use another application, or sign in at our own pages. May be repeated. Needs the scope `members:read`. Open to owners while the organization is suspended or deleted.
         */
        put: operations["putConsent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the organization
         * @description Needs the scope `org:read`. Open to owners and admins while the organization is suspended or deleted.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        /**
         * Delete the organization
         * @description Ends all work with it, as a suspension does; until `purge_at`, in 30 days, an owner can restore it. Its domains must then be verified again. `confirm` is its name. May be repeated. Needs the scope `org:write`. Open to owners while the organization is suspended or deleted.
         */
        delete: operations["deleteOrganization"];
        options?: never;
        head?: never;
        /**
         * Rename the organization, or set how its members get their roles and what is demanded of agents
         * @description Needs the scope `org:write`.
         */
        patch: operations["updateOrganization"];
        trace?: never;
    };
    "/organization/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend the organization
         * @description From now on its members are refused, here and at the tool hub, which ends their sessions, tokens and running calls. Owners can still read members and audit trail, take rights away, and reactivate it. May be repeated. Needs the scope `org:write`. Open to owners while the organization is suspended or deleted.
         */
        post: operations["suspendOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/reactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the suspension of the organization
         * @description What an owner has suspended. Users sign in at the tool hub again, and connect their accounts again. May be repeated. Needs the scope `org:write`. Open to owners while the organization is suspended or deleted.
         */
        post: operations["reactivateOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore the deleted organization
         * @description Until `purge_at`. It is as it was: suspended, if it was before. May be repeated. Needs the scope `org:write`. Open to owners while the organization is suspended or deleted.
         */
        post: operations["restoreOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep a user out, who need not be a member
         * @description For a `sub` that is known from the audit trail, before or after its first request. May be repeated. Needs the scope `members:write`. Open to owners while the organization is suspended or deleted.
         */
        post: operations["denyUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{member_id}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep a member out for a time
         * @description From now on their requests are refused, whatever tokens they have. May be repeated. Needs the scope `members:write`. Open to owners while the organization is suspended or deleted.
         */
        post: operations["deactivateMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{member_id}/reinstate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a member in again
         * @description Whether they were deactivated, denied or removed. May be repeated. Needs the scope `members:write`.
         */
        post: operations["reinstateMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{member_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a member
         * @description Needs the scope `members:read`. Open to owners while the organization is suspended or deleted.
         */
        get: operations["getMember"];
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description Revokes the membership at once, whatever tokens the user has. Name and address are erased after 30 days; `user_id` stays, and keeps the user out. Needs the scope `members:write`. Open to owners while the organization is suspended or deleted.
         */
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description Only an owner makes an owner, or changes one. An organization always has an owner. Needs the scope `members:write`. Open to owners while the organization is suspended or deleted.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/me/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave the organization
         * @description Ends your own membership. An administrator can let you in again. Needs the scope `members:read`. Open to owners while the organization is suspended or deleted.
         */
        post: operations["leaveOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description Only owners and admins see personal fields of others, and sort by `last_seen_at`. Needs the scope `members:read`. Open to owners while the organization is suspended or deleted.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations
         * @description Those that are over too, for 30 days. Needs the scope `invitations:read`.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a person
         * @description Send `accept_url` to the person yourself: it is shown in this answer alone, and null in a replay of it. Only an account with the address, which the identity provider says is verified, can accept. Owners are invited by owners. At most 100 open invitations, and 50 new ones an hour. Needs the scope `invitations:write`.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invitation
         * @description Needs the scope `invitations:read`.
         */
        get: operations["getInvitation"];
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description Its link is dead from now on. May be repeated; the invitation is kept for 30 days. Needs the scope `invitations:write`. Open to owners while the organization is suspended or deleted.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{invitation_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new link
         * @description The old link is dead, and the time of the invitation begins anew, also if it was over. Once a minute. The caller is the inviter from now on. Needs the scope `invitations:write`.
         */
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/revocations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End everything that a user has now, but not their membership
         * @description Sessions, cached tokens and running calls at the tool hub, in all its processes. Waits 1.5 seconds for it; 202 says that it has not confirmed yet, and is told until it does. Needs the scope `members:write`. Open to owners while the organization is suspended or deleted.
         */
        post: operations["revokeUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/revocations/{revocation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get whether the tool hub has confirmed a revocation
         * @description Needs the scope `members:read`. Open to owners while the organization is suspended or deleted.
         */
        get: operations["getRevocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm, as a client, that you belong to an organization
         * @description Sent by the client itself, with its own token and the `confirmation` that its organization has given it. From then on its tokens need not name the organization.
         */
        post: operations["confirmClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts/{service_account_id}/client": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Let a client of the identity provider act as a service account
         * @description Its tokens count at once where they name the organization. Where they name none, the client has to confirm it within 24 hours: `POST /service-accounts/confirm`. Sent again it makes another confirmation. Needs the scope `credentials:write`.
         */
        put: operations["putServiceAccountClient"];
        post?: never;
        /**
         * Let no client act as a service account any more
         * @description Its tokens are refused everywhere within a second. May be repeated. Needs the scope `credentials:write`. Open to owners while the organization is suspended or deleted.
         */
        delete: operations["deleteServiceAccountClient"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List service accounts
         * @description Needs the scope `credentials:read`.
         */
        get: operations["listServiceAccounts"];
        put?: never;
        /**
         * Create a service account
         * @description Its role must have no right that the caller, with this token, does not have. Needs the scope `credentials:write`.
         */
        post: operations["createServiceAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts/{service_account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a service account
         * @description Needs the scope `credentials:read`.
         */
        get: operations["getServiceAccount"];
        put?: never;
        post?: never;
        /**
         * Delete a service account
         * @description For good, with all of its credentials: they are refused everywhere within a second. Needs the scope `credentials:write`. Open to owners while the organization is suspended or deleted.
         */
        delete: operations["deleteServiceAccount"];
        options?: never;
        head?: never;
        /**
         * Change a service account
         * @description A disabled account has all of its credentials refused, everywhere within a second, until it is active again. Needs the scope `credentials:write`. Open to owners while the organization is suspended or deleted.
         */
        patch: operations["updateServiceAccount"];
        trace?: never;
    };
    "/service-accounts/{service_account_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys of a service account
         * @description Without their secrets. Ended ones are kept for 30 days. Needs the scope `credentials:read`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Make an API key for a service account
         * @description The secret is shown in this answer only. Its scopes must be within the role of the account and the rights of the caller; `org:write`, `credentials:write`, `clients:write` and invitations are never among them. Needs the scope `credentials:write`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts/{service_account_id}/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Needs the scope `credentials:read`.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description It is refused everywhere within a second. May be repeated. Needs the scope `credentials:write`. Open to owners while the organization is suspended or deleted.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts/{service_account_id}/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Makes a key with the same name, scopes and addresses, for as long as the old one had. The old one ends after `overlap_seconds`. Needs the scope `credentials:write`.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sites
         * @description Needs the scope `sites:read`. A service calls it for a user with a transaction token for `sites:list`.
         */
        get: operations["listSites"];
        put?: never;
        /**
         * Create a site
         * @description Needs the scope `sites:write`.
         */
        post: operations["createSite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sites/{site_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a site
         * @description Needs the scope `sites:read`. A service calls it for a user with a transaction token for `sites:get`.
         */
        get: operations["getSite"];
        put?: never;
        post?: never;
        /**
         * Delete a site
         * @description For 30 days it can be restored. Needs the scope `sites:write`.
         */
        delete: operations["deleteSite"];
        options?: never;
        head?: never;
        /**
         * Change a site
         * @description `allowed_origins` replaces the origins that are not of limited time. Needs the scope `sites:write`.
         */
        patch: operations["updateSite"];
        trace?: never;
    };
    "/sites/{site_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted site
         * @description Within 30 days. One that is not deleted is returned unchanged. Needs the scope `sites:write`.
         */
        post: operations["restoreSite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sites/{site_id}/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a deleted site for good
         * @description Before its 30 days are over. Only what is deleted; it cannot be restored any more. Needs the scope `sites:write` and the role admin or a stronger one.
         */
        post: operations["purgeSite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sites/{site_id}/origins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the origins of a site
         * @description Needs the scope `sites:read`.
         */
        get: operations["listSiteOrigins"];
        put?: never;
        /**
         * Add an origin to a site
         * @description For preview deployments with an optional time limit of at most 30 days. Of two times for one origin the later applies, and no time outlasts any. Needs the scope `sites:write`.
         */
        post: operations["addSiteOrigin"];
        /**
         * Remove an origin from a site
         * @description Needs the scope `sites:write`.
         */
        delete: operations["removeSiteOrigin"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sites/{site_id}/origins/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask whether an origin may embed
         * @description Needs the scope `sites:read`.
         */
        post: operations["checkSiteOrigin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sites/{site_id}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agents of a site
         * @description Needs the scope `sites:read`.
         */
        get: operations["listSiteAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sites/{site_id}/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the link of an agent to a site
         * @description Needs the scope `sites:read`.
         */
        get: operations["getSiteAgent"];
        /**
         * Embed an agent in a site
         * @description A body is optional. A new default replaces the old one. Needs the scope `sites:write`.
         */
        put: operations["putSiteAgent"];
        post?: never;
        /**
         * Take an agent from a site
         * @description Needs the scope `sites:write`.
         */
        delete: operations["deleteSiteAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description Without `instructions`: `GET /agents/{agent_id}` has them. Needs the scope `agents:read`.
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Create an agent
         * @description Needs the scope `agents:write`.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent
         * @description Needs the scope `agents:read`.
         */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        /**
         * Delete an agent
         * @description Refused while sites use it, unless `force=true`. For 30 days it can be restored, with its sites. Needs the scope `agents:write`.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        /**
         * Change an agent
         * @description Needs the scope `agents:write`.
         */
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/agents/{agent_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted agent
         * @description Within 30 days. One that is not deleted is returned unchanged. Needs the scope `agents:write`.
         */
        post: operations["restoreAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent_id}/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a deleted agent for good
         * @description Before its 30 days are over. Only what is deleted; it cannot be restored any more. Needs the scope `agents:write` and the role admin or a stronger one.
         */
        post: operations["purgeAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent_id}/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the connectors of an agent
         * @description Needs the scope `agents:read`.
         */
        get: operations["listAgentConnectors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent_id}/connectors/{connector_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the binding of a connector to an agent
         * @description Needs the scope `agents:read`.
         */
        get: operations["getAgentConnector"];
        /**
         * Let an agent use a connector
         * @description Replaces the binding whole: what is not sent has its default. Without a body too. A tool that the tool server has not listed so far is taken, with a warning. Needs the scope `agents:write`.
         */
        put: operations["putAgentConnector"];
        post?: never;
        /**
         * Take a connector from an agent
         * @description Needs the scope `agents:write`.
         */
        delete: operations["deleteAgentConnector"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent_id}/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the MCP clients that are an agent
         * @description Needs the scope `agents:read`.
         */
        get: operations["listAgentClients"];
        put?: never;
        /**
         * Let an MCP client be an agent
         * @description A user who signs in at the tool hub through this client then has what the agent is bound to, and nothing else. Either a client that has a document of its own (`client_id`), or one that is registered here (`name`, `redirect_uris`, `token_endpoint_auth_method`), for users of the organization alone. The page on which users allow a registered client says that the organization registered it. A client with a document goes on as before in other organizations; in this one its users sign in again. Up to 20 clients; each is one agent of the organization. A secret is shown in this answer only. Needs the scope `clients:write`.
         */
        post: operations["createAgentClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent_id}/clients/{agent_client_id}": {
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
         * Let an MCP client be an agent no longer
         * @description All sessions that are bound to the agent end; the other clients’ users sign in again. Needs the scope `clients:write`.
         */
        delete: operations["deleteAgentClient"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent_id}/sites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sites that embed an agent
         * @description Needs the scope `agents:read`.
         */
        get: operations["listAgentSites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connectors/{connector_id}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agents that may use a connector
         * @description Needs the scope `connectors:read`.
         */
        get: operations["listConnectorAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connectors
         * @description Needs the scope `connectors:read`.
         */
        get: operations["listConnectors"];
        put?: never;
        /**
         * Create a connector
         * @description `secret` and `fallback_secret` are kept encrypted and never answered. Needs the scope `connectors:write`.
         */
        post: operations["createConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connectors/{connector_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a connector
         * @description Needs the scope `connectors:read`.
         */
        get: operations["getConnector"];
        put?: never;
        post?: never;
        /**
         * Delete a connector
         * @description For 30 days it can be restored, with its secret and the agents that use it. Needs the scope `connectors:write`. Open to owners while the organization is suspended or deleted.
         */
        delete: operations["deleteConnector"];
        options?: never;
        head?: never;
        /**
         * Change a connector
         * @description Another `resource_url`, `auth_method` or `service_kind` drops the secrets that were for it, and another `issuer` that of `id-jag`. Where users’ own tokens are passed through, another `resource_url` needs `acknowledge_legacy` again. Needs the scope `connectors:write`. Open to owners while the organization is suspended or deleted.
         */
        patch: operations["updateConnector"];
        trace?: never;
    };
    "/connectors/{connector_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted connector
         * @description Within 30 days. One that is not deleted is returned unchanged. Needs the scope `connectors:write`.
         */
        post: operations["restoreConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connectors/{connector_id}/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a deleted connector for good
         * @description Before its 30 days are over. Only what is deleted; it cannot be restored any more. Needs the scope `connectors:write` and the role admin or a stronger one.
         */
        post: operations["purgeConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connectors/{connector_id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the secret of a connector
         * @description Needs the scope `connectors:write`.
         */
        put: operations["putConnectorSecret"];
        post?: never;
        /**
         * Remove the secret of a connector
         * @description Needs the scope `connectors:write`. Open to owners while the organization is suspended or deleted.
         */
        delete: operations["deleteConnectorSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connectors/{connector_id}/fallback-approval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve the fallback of a connector
         * @description Once a connector has acted as its users by ID-JAGs or their own consent, its fallback is not used any more only because the tool server stops to offer these: a hostile one could so choose to be sent an API key, or the users’ own tokens. This lets the hub use the fallback as it is listed now, within seconds. It ends when they work again, and when `fallback`, `auth_method`, `service_kind` or `resource_url` is changed. A user whom the identity provider denies stays denied. Needs the scope `connectors:write`.
         */
        post: operations["approveConnectorFallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connectors/{connector_id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a tool server about itself
         * @description Reads its protected resource metadata (RFC 9728), and keeps `status`, `metadata` and `last_error`, also of a failure. Of the authorization servers in it the method must be able to use one: `issuer_not_pinned` where they are at another origin and none is pinned as `issuer`, `issuer_not_listed` where the pinned one is not among them, `no_authorization_server` where there is none. Needs the scope `connectors:write`.
         */
        post: operations["checkConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connectors/{connector_id}/revoke-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke the tokens of a connector
         * @description Ends the tokens that the tool hub keeps for the users of the connector. Each of them gets a new one with the next call, if policy still allows it. Needs the scope `connectors:write`. Open to owners while the organization is suspended or deleted.
         */
        post: operations["revokeConnectorTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List domains
         * @description Needs the scope `domains:read`.
         */
        get: operations["listDomains"];
        put?: never;
        /**
         * Add a domain
         * @description The answer names the TXT record that proves it. Put it into the DNS, then verify the domain. Public suffixes and the domains of public mail providers are refused. Needs the scope `domains:write`.
         */
        post: operations["addDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{domain_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a domain
         * @description Needs the scope `domains:read`.
         */
        get: operations["getDomain"];
        put?: never;
        post?: never;
        /**
         * Remove a domain
         * @description For good. Who adds it again has to prove it by another record. Needs the scope `domains:write`.
         */
        delete: operations["removeDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{domain_id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a domain
         * @description Queries the DNS for the record. The response is the domain: `verified` if the record was found, otherwise in its previous state. At most 10 times a minute per organization. 503 if the DNS did not respond. Needs the scope `domains:write`.
         */
        post: operations["verifyDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an overview of the organization
         * @description A member is null where its scope, such as `sites:read`, is missing. Needs the scope `org:read`.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count calls
         * @description Calls of tools, prompts and resources, and delegations without one, by day, connector, agent or rule, as the tool hub has reported them. At most 90 days; default: the last 30, including today. Needs the scope `usage:read`. Open to owners while the organization is suspended or deleted.
         */
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the usage of days
         * @description One item for each day in UTC from `from` to the day before `to`, oldest first, at most 90, including days without requests. Default: the last 30 days, including today. Counts what counts against the rate limit, within seconds. `embed_sessions` is 0 until sites can be embedded. Needs the scope `usage:read`. Open to owners while the organization is suspended or deleted.
         */
        get: operations["listUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export audit events
         * @description The oldest first, of at most 31 days and a million events; counts as ten requests, one at a time. The last line of `ndjson` is `{"end":true,"count":…,"resume":…}`: without it the export was cut short. `resume` is a `cursor` for the rest, null where there is none. Cells of `csv` that begin with `=`, `+`, `-`, `@`, a tab or a carriage return have a `'` before them. Needs the scope `audit:export`. Open to owners while the organization is suspended or deleted.
         */
        get: operations["exportAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit events
         * @description Newest first, unless sorted otherwise; the last 30 days where no `from` is given. Owners and administrators see all events; developers those of sites, agents, connectors and domains, and their own; viewers their own. The header `Link` names the next page: new events do not shift it, as they do with `offset`. Needs the scope `audit:read`. Open to owners while the organization is suspended or deleted.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an audit event
         * @description Needs the scope `audit:read`. Open to owners while the organization is suspended or deleted.
         */
        get: operations["getAuditEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Begin a sign-in
         * @description For browsers. `return_to` is one of the pages that are set up.
         */
        get: operations["beginSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return from the identity provider
         * @description To the page of the sign-in, with `session`, the id of a new onboarding session, or with `code=idp_access_denied`.
         */
        get: operations["completeSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/session/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of an onboarding session
         * @description A token that is limited by scopes needs `org:read`.
         */
        get: operations["getOnboardingSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/create-org": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an organization
         * @description The same may be sent again: one organization is created. Afterwards a new token is needed, which names it. A token that is limited by scopes needs `org:write`.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give or deny consent
         * @description Ends the session. The decision is about the application that the token was issued to: if it is denied, its requests for you are refused from now on. A token that is limited by scopes needs `org:write`.
         */
        post: operations["giveConsent"];
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
        /**
         * Get this description
         * @description An OpenAPI 3.1 document. Needs no token, and is not counted.
         */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this description
         * @description For browsers. Needs no token, and is not counted.
         */
        get: operations["getReference"];
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
        /**
         * @description Problem details (RFC 9457). Decide by `code`: the texts may change.
         * @example {
         *       "type": "https://api.example/errors/validation_failed",
         *       "title": "Request validation failed",
         *       "status": 400,
         *       "code": "validation_failed",
         *       "detail": "1 field is invalid.",
         *       "instance": "/api/v1/sites",
         *       "request_id": "req_01JZ8Q4T9V0M6R3YB2N7K5X1CD",
         *       "errors": [
         *         {
         *           "pointer": "/allowed_origins/1",
         *           "code": "origin_has_path",
         *           "detail": "Use \"https://app.acme.com\"."
         *         }
         *       ]
         *     }
         */
        Problem: {
            /**
             * Format: uri
             * @description Where the code is documented
             */
            type: string;
            title: string;
            status: number;
            /** @description Stable, part of the API */
            code: string;
            detail?: string;
            /** @description The path that was asked for */
            instance: string;
            /** @description Also in `X-Request-Id` */
            request_id: string;
            /** @description Each fault, with a `pointer` into the body, or the `parameter` or `header` it is in */
            errors?: {
                /** @description JSON Pointer (RFC 6901) */
                pointer?: string;
                parameter?: string;
                header?: string;
                /** @description Stable: `required`, `invalid_type`, `invalid_format`, `invalid_enum`, `too_short`, `too_long`, `too_many_items`, `too_deep`, `out_of_range`, `unknown_field`, `field_read_only`, or one for a rule of this field alone */
                code: string;
                detail: string;
            }[];
            /** @description Of 403 `insufficient_permission` */
            required_scope?: string;
            /** @description Of 403 `insufficient_permission`: this role, or a stronger one */
            required_role?: string;
            /** @description Of 409 `quota_exceeded` */
            present?: number;
            /** @description Of 409 `quota_exceeded`: deleted, and not purged yet */
            deleted?: number;
            /** @description Of 409 `quota_exceeded` */
            limit?: number;
            /**
             * @description Of 403 `organization_suspended` and `organization_deleted`
             * @enum {unknown}
             */
            organization_status?: "suspended" | "deleted";
            /**
             * Format: date-time
             * @description Of 403 `organization_deleted`: until then an owner can restore it; null: it is gone
             */
            purge_at?: string | null;
            /** @description Of 409 `last_owner`: how many could become an owner */
            active_members?: number;
            /**
             * @description Of 429 `rate_limit_exceeded`: whether the plan is used up, or the share of it that one of several users may have
             * @enum {unknown}
             */
            scope?: "organization" | "user";
            /** @description Of 403 `service_account_unknown`: what to register */
            subject?: string;
            /** @description Of 429, in seconds */
            retry_after?: number;
        };
        /**
         * @description The caller and their permissions.
         * @example {
         *       "user": {
         *         "type": "user",
         *         "id": "user_01JZ8Q1A2B3C4D5E6F7G8H9J0K",
         *         "email": "alice@acme.com",
         *         "name": "Alice"
         *       },
         *       "organization": {
         *         "id": "org_01EHWNCE74X7JSDV0X3SZ3KJNY",
         *         "name": "Acme"
         *       },
         *       "role": "viewer",
         *       "scopes": [
         *         "org:read",
         *         "members:read",
         *         "domains:read",
         *         "sites:read"
         *       ]
         *     }
         */
        Me: {
            user: {
                /** @enum {string} */
                type: "user" | "service_account";
                id: string;
                email: string | null;
                name: string | null;
            };
            organization: {
                id: string;
                name: string;
            } | null;
            role: ("owner" | "admin" | "developer" | "viewer") | null;
            scopes: string[];
        };
        /**
         * @description The running window of the rate limit.
         * @example {
         *       "plan": "pro",
         *       "limit": 300,
         *       "remaining": 299,
         *       "reset": 1768478460
         *     }
         */
        RateLimit: {
            /** @enum {string} */
            plan: "free" | "pro" | "custom";
            /** @description Requests per minute */
            limit: number;
            remaining: number;
            /** @description Epoch seconds */
            reset: number;
        };
        /**
         * @description What you have decided about an application.
         * @example {
         *       "client_id": "chat-app",
         *       "decision": "deny",
         *       "decided_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        Consent: {
            /** @description The application, as the identity provider names it */
            client_id: string;
            /**
             * @description Of an application that was denied, every request in your name is refused
             * @enum {string}
             */
            decision: "approve" | "deny";
            /** Format: date-time */
            decided_at: string;
        };
        /**
         * @example {
         *       "decision": "deny"
         *     }
         */
        PutConsent: {
            /** @enum {string} */
            decision: "approve" | "deny";
        };
        /**
         * @description An organization and its plan.
         * @example {
         *       "id": "org_01EHWNCE74X7JSDV0X3SZ3KJNY",
         *       "name": "Acme",
         *       "plan": "pro",
         *       "requests_per_minute": 300,
         *       "status": "active",
         *       "default_role": null,
         *       "role_source": "local",
         *       "agent_policy": "any",
         *       "suspended_at": null,
         *       "suspended_by": null,
         *       "deleted_at": null,
         *       "purge_at": null,
         *       "created_at": "2026-01-15T12:00:00.000Z",
         *       "updated_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        Organization: {
            /** @description The identity provider's `organization_id` */
            id: string;
            name: string;
            /** @enum {string} */
            plan: "free" | "pro" | "custom";
            /** @description What the rate limit headers count down from */
            requests_per_minute: number;
            /**
             * @description While it is not `active`, its members are refused, here and at the tool hub
             * @enum {string}
             */
            status: "active" | "suspended" | "deleted";
            /** @description Role of a member whose first token has none; `none` refuses them. Null: the deployment's */
            default_role: ("none" | "viewer" | "developer" | "admin") | null;
            /**
             * @description `local`: a member's first token gives the role, which is changed here. `identity_provider`: the newest token decides
             * @enum {string}
             */
            role_source: "local" | "identity_provider";
            /**
             * @description What the tool hub demands in lists and calls: `named` the id of an agent, `authenticated` a session or MCP client that is bound to one
             * @enum {string}
             */
            agent_policy: "any" | "named" | "authenticated";
            suspended_at: string | null;
            /** @description No owner ends a suspension by the operator */
            suspended_by: ("owner" | "operator") | null;
            deleted_at: string | null;
            /** @description Of a deleted one: until then an owner can restore it */
            purge_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        UpdateOrganization: {
            name?: string;
            default_role?: ("none" | "viewer" | "developer" | "admin") | null;
            /** @enum {string} */
            role_source?: "local" | "identity_provider";
            /** @enum {string} */
            agent_policy?: "any" | "named" | "authenticated";
        };
        SuspendOrganization: {
            /** @description Recorded in the audit trail */
            reason?: string;
        };
        /**
         * @example {
         *       "user_id": "user_01JZ8Q1A2B3C4D5E6F7G8H9J0K",
         *       "reason": "Left the company"
         *     }
         */
        DenyUser: {
            user_id: string;
            /** @description Recorded in the audit trail */
            reason?: string;
        };
        /**
         * @description A user of the organization.
         * @example {
         *       "id": "mem_01JZ8Q2B5H7D9K1M3P5R7T9V1X",
         *       "user_id": "user_01JZ8Q1A2B3C4D5E6F7G8H9J0K",
         *       "email": "alice@acme.com",
         *       "email_verified": true,
         *       "name": "Alice",
         *       "role": "admin",
         *       "status": "active",
         *       "source": "identity_provider",
         *       "external_id": null,
         *       "invited_by": null,
         *       "last_seen_at": "2026-01-15T12:00:00.000Z",
         *       "created_at": "2026-01-15T12:00:00.000Z",
         *       "updated_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        Member: {
            id: string;
            /** @description The identity provider's `sub` */
            user_id: string;
            /** @description Null for callers who are neither owner nor admin, but in their own row */
            email: string | null;
            /** @description Null for callers who are neither owner nor admin, but in their own row */
            email_verified: boolean | null;
            name: string | null;
            /** @enum {string} */
            role: "owner" | "admin" | "developer" | "viewer";
            /**
             * @description All but `active` are kept out, whatever tokens they have
             * @enum {string}
             */
            status: "active" | "deactivated" | "denied" | "removed";
            /** @enum {string} */
            source: "onboarding" | "identity_provider" | "invitation" | "scim" | "operator" | "denial";
            /** @description Null for callers who are neither owner nor admin, but in their own row */
            external_id: string | null;
            /** @description Null for callers who are neither owner nor admin, but in their own row */
            invited_by: string | null;
            /** @description To the hour. Null for callers who are neither owner nor admin, but in their own row */
            last_seen_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /**
         * @example {
         *       "reason": "Laptop stolen"
         *     }
         */
        DeactivateMember: {
            /** @description Recorded in the audit trail */
            reason?: string;
        };
        /**
         * @example {
         *       "role": "viewer"
         *     }
         */
        ReinstateMember: {
            /** @enum {string} */
            role?: "owner" | "admin" | "developer" | "viewer";
        };
        /**
         * @example {
         *       "role": "developer"
         *     }
         */
        UpdateMember: {
            /** @enum {string} */
            role?: "owner" | "admin" | "developer" | "viewer";
        };
        /**
         * @description A link by which a person becomes a member.
         * @example {
         *       "id": "inv_01JZ8QDA1C3E5G7J9M1P3R5T7V",
         *       "email": "bob@acme.com",
         *       "role": "developer",
         *       "state": "pending",
         *       "expires_at": "2026-01-22T12:00:00.000Z",
         *       "invited_by": {
         *         "type": "user",
         *         "id": "user_01JZ8Q1A2B3C4D5E6F7G8H9J0K",
         *         "name": "Alice"
         *       },
         *       "accept_url": null,
         *       "created_at": "2026-01-15T12:00:00.000Z",
         *       "updated_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        Invitation: {
            id: string;
            /** @description In lower case, its domain in ASCII. Only an account with this address can accept */
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "developer" | "viewer";
            /**
             * @description `revoked` too while its inviter could not give the role any more, such as after they were removed
             * @enum {string}
             */
            state: "pending" | "accepted" | "declined" | "revoked" | "expired";
            /** Format: date-time */
            expires_at: string;
            /** @description The inviter: who sent it last */
            invited_by: {
                /** @enum {string} */
                type: "user" | "service_account";
                id: string;
                /** @description As it is now */
                name: string | null;
            };
            /** @description Only in the answer that made the link, and null in a replay of it: it is stored nowhere */
            accept_url: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /**
         * @example {
         *       "email": "bob@acme.com",
         *       "role": "developer",
         *       "expires_in_days": 7
         *     }
         */
        CreateInvitation: {
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "developer" | "viewer";
            /** @default 7 */
            expires_in_days: number;
        };
        /**
         * @example {
         *       "user_id": "user_01JZ8Q1A2B3C4D5E6F7G8H9J0K",
         *       "reason": "Laptop stolen"
         *     }
         */
        RevokeUser: {
            user_id?: string;
            member_id?: string;
            /** @description Recorded in the audit trail */
            reason?: string;
        };
        /**
         * @description The end of what a user had at the tool hub.
         * @example {
         *       "id": "rev_01JZ8QAZ4W6Y8B0D2F4H6K8M0P",
         *       "user_id": "user_01JZ8Q1A2B3C4D5E6F7G8H9J0K",
         *       "status": "delivered",
         *       "attempts": 0,
         *       "confirmed_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        Revocation: {
            id: string;
            user_id: string;
            /**
             * @description `not_served`: the tool hub serves no `sub` with a colon, so there was nothing to end
             * @enum {string}
             */
            status: "delivered" | "pending" | "not_served";
            /** @description How often the hub was told without success */
            attempts: number;
            /** @description When the hub confirmed; null where the request did not wait for it, because it is not kept */
            confirmed_at: string | null;
        };
        /**
         * @example {
         *       "confirmation": "lgc_…"
         *     }
         */
        ConfirmClient: {
            confirmation: string;
        };
        /**
         * @description Where the tokens of a client lead from now on.
         * @example {
         *       "organization_id": "org_01EHWNCE74X7JSDV0X3SZ3KJNY",
         *       "service_account_id": "sva_01JZ8QC5T7V9X1Z3B5D7F9H1J3",
         *       "role": "developer",
         *       "confirmed_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        ConfirmedClient: {
            organization_id: string;
            service_account_id: string;
            /** @enum {string} */
            role: "admin" | "developer" | "viewer";
            /** Format: date-time */
            confirmed_at: string;
        };
        /**
         * @example {
         *       "subject": "terraform"
         *     }
         */
        PutServiceAccountClient: {
            /** @description `sub` of the tokens that the client gets for itself from the identity provider */
            subject: string;
        };
        /**
         * @description A service account, with what its client needs to confirm that it belongs to the organization.
         * @example {
         *       "id": "sva_01JZ8QC5T7V9X1Z3B5D7F9H1J3",
         *       "name": "Deployment",
         *       "description": "Adds preview origins from CI",
         *       "role": "developer",
         *       "status": "active",
         *       "client": {
         *         "issuer": "https://idp.example",
         *         "subject": "terraform",
         *         "confirmed_at": null
         *       },
         *       "keys": 1,
         *       "created_by": {
         *         "type": "user",
         *         "id": "user_01JZ8Q1A2B3C4D5E6F7G8H9J0K",
         *         "name": "Alice"
         *       },
         *       "created_at": "2026-01-15T12:00:00.000Z",
         *       "updated_at": "2026-01-15T12:00:00.000Z",
         *       "confirmation": "lgc_…",
         *       "confirmation_expires_at": "2026-01-16T12:00:00.000Z"
         *     }
         */
        RegisteredClient: {
            id: string;
            name: string;
            description: string | null;
            /** @enum {string} */
            role: "admin" | "developer" | "viewer";
            /**
             * @description All credentials of a disabled account are refused
             * @enum {string}
             */
            status: "active" | "disabled";
            /** @description The client of the identity provider that acts as this account */
            client: {
                issuer: string;
                /** @description `sub` of its tokens */
                subject: string;
                /** @description null: its tokens count only where they name the organization */
                confirmed_at: string | null;
            } | null;
            /** @description How many of its API keys are live */
            keys: number;
            created_by: {
                /** @enum {string} */
                type: "user" | "service_account";
                /** @description The `sub` of a user, or the id of a service account */
                id: string;
                name: string | null;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Shown here only. The client sends it with its own token, if its tokens name no organization */
            confirmation: string;
            /** Format: date-time */
            confirmation_expires_at: string;
        };
        /**
         * @description A machine that acts in the organization.
         * @example {
         *       "id": "sva_01JZ8QC5T7V9X1Z3B5D7F9H1J3",
         *       "name": "Deployment",
         *       "description": "Adds preview origins from CI",
         *       "role": "developer",
         *       "status": "active",
         *       "client": null,
         *       "keys": 1,
         *       "created_by": {
         *         "type": "user",
         *         "id": "user_01JZ8Q1A2B3C4D5E6F7G8H9J0K",
         *         "name": "Alice"
         *       },
         *       "created_at": "2026-01-15T12:00:00.000Z",
         *       "updated_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        ServiceAccount: {
            id: string;
            name: string;
            description: string | null;
            /** @enum {string} */
            role: "admin" | "developer" | "viewer";
            /**
             * @description All credentials of a disabled account are refused
             * @enum {string}
             */
            status: "active" | "disabled";
            /** @description The client of the identity provider that acts as this account */
            client: {
                issuer: string;
                /** @description `sub` of its tokens */
                subject: string;
                /** @description null: its tokens count only where they name the organization */
                confirmed_at: string | null;
            } | null;
            /** @description How many of its API keys are live */
            keys: number;
            created_by: {
                /** @enum {string} */
                type: "user" | "service_account";
                /** @description The `sub` of a user, or the id of a service account */
                id: string;
                name: string | null;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /**
         * @example {
         *       "name": "Deployment",
         *       "description": "Adds preview origins from CI",
         *       "role": "developer"
         *     }
         */
        CreateServiceAccount: {
            name: string;
            /** @default null */
            description: string | null;
            /** @enum {string} */
            role: "admin" | "developer" | "viewer";
        };
        /**
         * @example {
         *       "status": "disabled"
         *     }
         */
        UpdateServiceAccount: {
            name?: string;
            description?: string | null;
            /** @enum {string} */
            role?: "admin" | "developer" | "viewer";
            /** @enum {string} */
            status?: "active" | "disabled";
        };
        /**
         * @description A secret with which a service account calls this API.
         * @example {
         *       "id": "key_01JZ8QD5T7V9X1Z3B5D7F9H1J3",
         *       "name": "GitHub Actions",
         *       "hint": "b3ff",
         *       "scopes": [
         *         "sites:read",
         *         "sites:write"
         *       ],
         *       "allowed_ips": [
         *         "192.0.2.0/24"
         *       ],
         *       "expires_at": "2026-04-15T12:00:00.000Z",
         *       "revoked_at": null,
         *       "last_used_at": "2026-01-15T12:00:00.000Z",
         *       "last_used_ip": "192.0.2.7",
         *       "rotated_to": null,
         *       "created_by": {
         *         "type": "user",
         *         "id": "user_01JZ8Q1A2B3C4D5E6F7G8H9J0K",
         *         "name": "Alice",
         *         "status": "active"
         *       },
         *       "created_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        ApiKey: {
            id: string;
            name: string;
            /** @description The last four characters of the key */
            hint: string;
            scopes: string[];
            /** @description CIDR blocks; none: it may be used from anywhere */
            allowed_ips: string[];
            /** Format: date-time */
            expires_at: string;
            revoked_at: string | null;
            /** @description To the minute */
            last_used_at: string | null;
            last_used_ip: string | null;
            /** @description The key that takes its place */
            rotated_to: string | null;
            created_by: {
                /** @enum {string} */
                type: "user" | "service_account";
                /** @description The `sub` of a user, or the id of a service account */
                id: string;
                name: string | null;
                /** @description Of the member or service account; null: it is not known here */
                status: ("active" | "deactivated" | "denied" | "removed" | "disabled" | "deleted") | null;
            } | null;
            /** Format: date-time */
            created_at: string;
        };
        /**
         * @example {
         *       "name": "GitHub Actions",
         *       "scopes": [
         *         "sites:read",
         *         "sites:write"
         *       ],
         *       "allowed_ips": [
         *         "192.0.2.0/24"
         *       ]
         *     }
         */
        CreateApiKey: {
            name: string;
            /** @description Each within the role of the account and the rights of the caller */
            scopes: ("org:read" | "members:read" | "domains:read" | "sites:read" | "agents:read" | "connectors:read" | "audit:read" | "usage:read" | "sites:write" | "agents:write" | "members:write" | "domains:write" | "connectors:write" | "audit:export" | "credentials:read")[];
            /**
             * Format: date-time
             * @description In 90 days, unless it is said
             */
            expires_at?: string;
            /**
             * @description Addresses, or CIDR blocks, from which the key may be used; none: from anywhere
             * @default []
             */
            allowed_ips: string[];
        };
        /**
         * @description An API key, with the secret that is shown once.
         * @example {
         *       "id": "key_01JZ8QD5T7V9X1Z3B5D7F9H1J3",
         *       "name": "GitHub Actions",
         *       "hint": "b3ff",
         *       "scopes": [
         *         "sites:read",
         *         "sites:write"
         *       ],
         *       "allowed_ips": [
         *         "192.0.2.0/24"
         *       ],
         *       "expires_at": "2026-04-15T12:00:00.000Z",
         *       "revoked_at": null,
         *       "last_used_at": null,
         *       "last_used_ip": null,
         *       "rotated_to": null,
         *       "created_by": {
         *         "type": "user",
         *         "id": "user_01JZ8Q1A2B3C4D5E6F7G8H9J0K",
         *         "name": "Alice",
         *         "status": "active"
         *       },
         *       "created_at": "2026-01-15T12:00:00.000Z",
         *       "key": "lgt_…"
         *     }
         */
        NewApiKey: {
            id: string;
            name: string;
            /** @description The last four characters of the key */
            hint: string;
            scopes: string[];
            /** @description CIDR blocks; none: it may be used from anywhere */
            allowed_ips: string[];
            /** Format: date-time */
            expires_at: string;
            revoked_at: string | null;
            /** @description To the minute */
            last_used_at: string | null;
            last_used_ip: string | null;
            /** @description The key that takes its place */
            rotated_to: string | null;
            created_by: {
                /** @enum {string} */
                type: "user" | "service_account";
                /** @description The `sub` of a user, or the id of a service account */
                id: string;
                name: string | null;
                /** @description Of the member or service account; null: it is not known here */
                status: ("active" | "deactivated" | "denied" | "removed" | "disabled" | "deleted") | null;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** @description The secret, shown here only; null in a replay by `Idempotency-Key` */
            key: string | null;
        };
        /**
         * @example {
         *       "overlap_seconds": 3600
         *     }
         */
        RotateApiKey: {
            /**
             * @description How long the old key stays good
             * @default 86400
             */
            overlap_seconds: number;
        };
        /**
         * @description An application that embeds agents.
         * @example {
         *       "id": "site_01JZ8Q4T9V0M6R3YB2N7K5X1CD",
         *       "name": "Customer portal",
         *       "allowed_origins": [
         *         "https://portal.acme.com"
         *       ],
         *       "created_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        Site: {
            id: string;
            name: string;
            /** @description If it is empty, nobody may embed */
            allowed_origins: string[];
            /** Format: date-time */
            created_at: string;
        };
        /** @description In a list with `include=version`. */
        SiteWithVersion: {
            id: string;
            name: string;
            /** @description If it is empty, nobody may embed */
            allowed_origins: string[];
            /** Format: date-time */
            created_at: string;
            /** @description What its `ETag` has between the quotes */
            version: string;
        };
        /** @description In a list with `deleted=true`. */
        DeletedSite: {
            id: string;
            name: string;
            /** @description If it is empty, nobody may embed */
            allowed_origins: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            deleted_at: string;
            /**
             * Format: date-time
             * @description Afterwards it is purged
             */
            restorable_until: string;
            /** @description What its `ETag` has between the quotes */
            version: string;
        };
        /**
         * @example {
         *       "name": "Customer portal",
         *       "allowed_origins": [
         *         "https://portal.acme.com"
         *       ]
         *     }
         */
        CreateSite: {
            name: string;
            /** @default [] */
            allowed_origins: string[];
        };
        /**
         * @example {
         *       "allowed_origins": [
         *         "https://portal.acme.com",
         *         "https://www.acme.com"
         *       ]
         *     }
         */
        UpdateSite: {
            name?: string;
            allowed_origins?: string[];
        };
        /**
         * @description An origin that may embed the agents of a site.
         * @example {
         *       "origin": "https://pr-12.preview.acme.com",
         *       "expires_at": "2026-01-22T12:00:00.000Z"
         *     }
         */
        SiteOrigin: {
            origin: string;
            expires_at: string | null;
        };
        /**
         * @example {
         *       "origin": "https://pr-12.preview.acme.com",
         *       "expires_at": "2026-01-22T12:00:00Z"
         *     }
         */
        AddSiteOrigin: {
            origin: string;
            /** @default null */
            expires_at: string | null;
        };
        /**
         * @example {
         *       "origin": "https://Portal.acme.com/"
         *     }
         */
        CheckSiteOrigin: {
            origin: string;
        };
        /**
         * @description Whether an origin may embed, and why not.
         * @example {
         *       "allowed": true,
         *       "normalized": "https://portal.acme.com",
         *       "matched": "https://portal.acme.com",
         *       "reason": null
         *     }
         */
        OriginCheck: {
            allowed: boolean;
            /** @description As browsers send it in `Origin`; null for what is no origin */
            normalized: string | null;
            /** @description The entry of the site that allows it */
            matched: string | null;
            /** @description Why not: `origin_not_allowed`, `origin_expired`, or what is wrong with it; null if it is allowed */
            reason: string | null;
        };
        /**
         * @description That a site embeds an agent.
         * @example {
         *       "site_id": "site_01JZ8Q4T9V0M6R3YB2N7K5X1CD",
         *       "agent_id": "agt_01JZ8Q6M3C9W1F5TQY8H2D4RKB",
         *       "is_default": true,
         *       "created_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        SiteAgent: {
            site_id: string;
            agent_id: string;
            /** @description The one that is shown where the page names none; at most one of a site */
            is_default: boolean;
            /** Format: date-time */
            created_at: string;
        };
        PutSiteAgent: {
            /** @default false */
            is_default: boolean;
        };
        /** @description An agent in a list, without its instructions: those are answered with the single agent. */
        AgentSummary: {
            id: string;
            name: string;
            description: string | null;
            /**
             * @description Only active agents can be embedded
             * @enum {string}
             */
            status: "draft" | "active" | "disabled";
            settings: {
                greeting?: string;
                theme?: {
                    light?: string;
                    dark?: string;
                };
                launcher?: {
                    /** @enum {string} */
                    position?: "bottom-right" | "bottom-left";
                    label?: string;
                };
                /** @description BCP 47 */
                locale?: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description In characters; 0 without instructions */
            instructions_length: number;
        };
        /** @description In a list with `include=version`. */
        AgentWithVersion: {
            id: string;
            name: string;
            description: string | null;
            /**
             * @description Only active agents can be embedded
             * @enum {string}
             */
            status: "draft" | "active" | "disabled";
            settings: {
                greeting?: string;
                theme?: {
                    light?: string;
                    dark?: string;
                };
                launcher?: {
                    /** @enum {string} */
                    position?: "bottom-right" | "bottom-left";
                    label?: string;
                };
                /** @description BCP 47 */
                locale?: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description In characters; 0 without instructions */
            instructions_length: number;
            /** @description What its `ETag` has between the quotes */
            version: string;
        };
        /** @description In a list with `deleted=true`. */
        DeletedAgent: {
            id: string;
            name: string;
            description: string | null;
            /**
             * @description Only active agents can be embedded
             * @enum {string}
             */
            status: "draft" | "active" | "disabled";
            settings: {
                greeting?: string;
                theme?: {
                    light?: string;
                    dark?: string;
                };
                launcher?: {
                    /** @enum {string} */
                    position?: "bottom-right" | "bottom-left";
                    label?: string;
                };
                /** @description BCP 47 */
                locale?: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description In characters; 0 without instructions */
            instructions_length: number;
            /** Format: date-time */
            deleted_at: string;
            /**
             * Format: date-time
             * @description Afterwards it is purged
             */
            restorable_until: string;
            /** @description What its `ETag` has between the quotes */
            version: string;
        };
        /**
         * @description What is embedded.
         * @example {
         *       "id": "agt_01JZ8Q6M3C9W1F5TQY8H2D4RKB",
         *       "name": "Support",
         *       "description": "Answers questions about invoices",
         *       "instructions": "Be brief.",
         *       "status": "active",
         *       "settings": {
         *         "greeting": "Hi",
         *         "launcher": {
         *           "position": "bottom-right",
         *           "label": "Help"
         *         },
         *         "locale": "en-GB"
         *       },
         *       "created_at": "2026-01-15T12:00:00.000Z",
         *       "updated_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        Agent: {
            id: string;
            name: string;
            description: string | null;
            /** @description Never sent to a browser that embeds the agent */
            instructions: string | null;
            /**
             * @description Only active agents can be embedded
             * @enum {string}
             */
            status: "draft" | "active" | "disabled";
            settings: {
                greeting?: string;
                theme?: {
                    light?: string;
                    dark?: string;
                };
                launcher?: {
                    /** @enum {string} */
                    position?: "bottom-right" | "bottom-left";
                    label?: string;
                };
                /** @description BCP 47 */
                locale?: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /**
         * @example {
         *       "name": "Support",
         *       "settings": {
         *         "greeting": "Hi"
         *       }
         *     }
         */
        CreateAgent: {
            name: string;
            /** @default null */
            description: string | null;
            /** @default null */
            instructions: string | null;
            /**
             * @default draft
             * @enum {string}
             */
            status: "draft" | "active" | "disabled";
            /** @default {} */
            settings: {
                greeting?: string;
                theme?: {
                    light?: string;
                    dark?: string;
                };
                launcher?: {
                    /** @enum {string} */
                    position?: "bottom-right" | "bottom-left";
                    label?: string;
                };
                /** @description BCP 47 */
                locale?: string;
            };
        };
        /**
         * @example {
         *       "status": "active",
         *       "settings": {
         *         "greeting": null
         *       }
         *     }
         */
        UpdateAgent: {
            name?: string;
            description?: string | null;
            instructions?: string | null;
            /** @enum {string} */
            status?: "draft" | "active" | "disabled";
            settings?: {
                greeting?: string;
                theme?: {
                    light?: string;
                    dark?: string;
                };
                launcher?: {
                    /** @enum {string} */
                    position?: "bottom-right" | "bottom-left";
                    label?: string;
                };
                /** @description BCP 47 */
                locale?: string;
            };
        };
        /**
         * @description That an agent may use a connector, and how much of it.
         * @example {
         *       "agent_id": "agt_01JZ8Q6M3C9W1F5TQY8H2D4RKB",
         *       "connector_id": "con_01JZ8Q8E7N2S4VXJ6P0G3A9ZTM",
         *       "scopes": [
         *         "mcp:tools:read"
         *       ],
         *       "tools": null,
         *       "approval": "write",
         *       "created_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        AgentConnector: {
            agent_id: string;
            connector_id: string;
            /** @description null: all of the connector. A scope that the connector has no longer is not granted */
            scopes: string[] | null;
            /** @description null: all; empty: none */
            tools: string[] | null;
            /**
             * @description Which calls need the user’s approval, which the agent’s host asks for: all, all except tools that declare themselves read-only, or none. The hub passes this on to the host, and cannot verify an approval
             * @enum {string}
             */
            approval: "always" | "write" | "never";
            /** Format: date-time */
            created_at: string;
        };
        /**
         * @example {
         *       "scopes": [
         *         "mcp:tools:read"
         *       ],
         *       "approval": "always"
         *     }
         */
        PutAgentConnector: {
            /** @default null */
            scopes: string[] | null;
            /** @default null */
            tools: string[] | null;
            /**
             * @default write
             * @enum {string}
             */
            approval: "always" | "write" | "never";
        };
        /** @description A binding as it was stored, with what may be wrong with it. */
        PlacedAgentConnector: {
            agent_id: string;
            connector_id: string;
            /** @description null: all of the connector. A scope that the connector has no longer is not granted */
            scopes: string[] | null;
            /** @description null: all; empty: none */
            tools: string[] | null;
            /**
             * @description Which calls need the user’s approval, which the agent’s host asks for: all, all except tools that declare themselves read-only, or none. The hub passes this on to the host, and cannot verify an approval
             * @enum {string}
             */
            approval: "always" | "write" | "never";
            /** Format: date-time */
            created_at: string;
            /** @description What was taken, and may be a mistake: tools that the tool server has not listed for anybody so far */
            warnings?: {
                /** @description The part of the request, RFC 6901: `/tools/0` */
                pointer: string;
                /** @enum {string} */
                code: "tool_not_listed";
                detail: string;
            }[];
        };
        /**
         * @description An MCP client that is an agent: a user who signs in through it has what the agent is bound to.
         * @example {
         *       "id": "acl_01JA8Z6Y4C3FZ0V5D9TQ8WJ7QK",
         *       "agent_id": "agt_01JZ8Q6M3C9W1F5TQY8H2D4RKB",
         *       "client_id": "https://vscode.dev/oauth/client-metadata.json",
         *       "name": null,
         *       "redirect_uris": null,
         *       "token_endpoint_auth_method": null,
         *       "created_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        AgentClient: {
            id: string;
            agent_id: string;
            /** @description Address of the client’s document (Client ID Metadata Document), or `lac_…` for a registered one */
            client_id: string;
            /** @description Of a registered client, as users see it; otherwise the document has one */
            name: string | null;
            /** @description Of a registered client */
            redirect_uris: string[] | null;
            /** @description Of a registered client */
            token_endpoint_auth_method: ("none" | "client_secret_basic" | "private_key_jwt") | null;
            /** Format: date-time */
            created_at: string;
        };
        /**
         * @example {
         *       "client_id": "https://vscode.dev/oauth/client-metadata.json"
         *     }
         */
        CreateAgentClient: {
            client_id?: string;
            name?: string;
            redirect_uris?: string[];
            /** @enum {string} */
            token_endpoint_auth_method?: "none" | "client_secret_basic" | "private_key_jwt";
            /** @description Public keys (RFC 7517 §5), for `private_key_jwt` */
            jwks?: {
                keys: ({
                    kty: string;
                } & {
                    [key: string]: unknown;
                })[];
            };
        };
        /**
         * @description A new client of an agent, with its secret if it has one.
         * @example {
         *       "id": "acl_01JA8Z6Y4C3FZ0V5D9TQ8WJ7QK",
         *       "agent_id": "agt_01JZ8Q6M3C9W1F5TQY8H2D4RKB",
         *       "client_id": "lac_01JA8Z6Y4C3FZ0V5D9TQ8WJ7QM",
         *       "name": "Support desk",
         *       "redirect_uris": [
         *         "https://desk.acme.com/callback"
         *       ],
         *       "token_endpoint_auth_method": "client_secret_basic",
         *       "client_secret": "lgs_…",
         *       "created_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        NewAgentClient: {
            id: string;
            agent_id: string;
            /** @description Address of the client’s document (Client ID Metadata Document), or `lac_…` for a registered one */
            client_id: string;
            /** @description Of a registered client, as users see it; otherwise the document has one */
            name: string | null;
            /** @description Of a registered client */
            redirect_uris: string[] | null;
            /** @description Of a registered client */
            token_endpoint_auth_method: ("none" | "client_secret_basic" | "private_key_jwt") | null;
            /** Format: date-time */
            created_at: string;
            /** @description Of a client with `client_secret_basic`, in this answer only; null in a replay of it */
            client_secret: string | null;
        };
        /**
         * @description A tool server, and how tokens for it are obtained.
         * @example {
         *       "id": "con_01JZ8Q8E7N2S4VXJ6P0G3A9ZTM",
         *       "name": "Billing tools",
         *       "slug": "billing-tools",
         *       "resource_url": "https://mcp.acme.com/billing",
         *       "mcp_url": null,
         *       "auth_method": "id-jag",
         *       "service_kind": null,
         *       "scopes": [
         *         "mcp:tools:read",
         *         "mcp:tools:call"
         *       ],
         *       "step_up_scopes": [
         *         "mcp:tools:admin"
         *       ],
         *       "client_id": "hub-prod",
         *       "token_endpoint_auth_method": null,
         *       "issuer": null,
         *       "audience": null,
         *       "fallback": [],
         *       "id_jag_used_at": "2026-01-15T12:00:00.000Z",
         *       "consent_used_at": null,
         *       "fallback_approved_at": null,
         *       "passthrough_audiences": [],
         *       "api_key_header": null,
         *       "ca_certificates": null,
         *       "has_fallback_secret": false,
         *       "has_secret": true,
         *       "secret_updated_at": "2026-01-15T12:00:00.000Z",
         *       "status": "ready",
         *       "metadata": {
         *         "authorization_servers": [
         *           "https://mcp.acme.com"
         *         ],
         *         "scopes_supported": [
         *           "mcp:tools:read",
         *           "mcp:tools:call"
         *         ],
         *         "checked_at": "2026-01-15T12:00:00.000Z"
         *       },
         *       "last_error": null,
         *       "enabled": true,
         *       "acknowledge_legacy": false,
         *       "created_at": "2026-01-15T12:00:00.000Z",
         *       "updated_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        Connector: {
            id: string;
            name: string;
            /** @description Begins the names of its tools at the hub: `notes_search`. Unique, deleted connectors included. Made of the name at first, and never changed with it; null: registered by the version before, until the next change */
            slug: string | null;
            /** @description The tool server's resource identifier, as written: it is the `aud` of its tokens */
            resource_url: string;
            /** @description The MCP endpoint, at the same origin as `resource_url`. null: `resource_url` itself, as written, or `/mcp` there if it has neither a path nor a query */
            mcp_url: string | null;
            /** @enum {string} */
            auth_method: "id-jag" | "passthrough" | "service" | "oauth-pkce";
            service_kind: ("mtls" | "api_key") | null;
            scopes: string[];
            /** @description What single tools may ask for beyond `scopes`; nothing else is ever asked for. A token with such a scope is used for the tool that asked, and for no other */
            step_up_scopes: string[];
            /** @description The hub's client at the tool server's authorization server. null, which `id-jag` does not allow: none is registered, and `oauth-pkce` shows the Client ID Metadata Document of the hub, without a secret */
            client_id: string | null;
            /** @description How the hub authenticates at the token endpoint of the authorization server (RFC 7591). With `private_key_jwt` the `secret` is a private JWK. null: as its metadata has it, `client_secret_post` if it takes both; without metadata also. Like the `secret`, it ends with another `auth_method`, unless the request has it */
            token_endpoint_auth_method: ("client_secret_basic" | "client_secret_post" | "private_key_jwt") | null;
            has_secret: boolean;
            secret_updated_at: string | null;
            /** @description Of `id-jag` and `oauth-pkce` alike: the only authorization server that users and the secret are sent to; null: the one at the origin of `resource_url`, and without a secret also the only one that the tool server lists */
            issuer: string | null;
            /** @description Of `id-jag`: `audience` of the token exchange, for an identity provider that has its own name for the authorization server. null: the issuer if its metadata advertises ID-JAGs, or else `resource_url` */
            audience: string | null;
            /** @description In this order, each only where the one before does not exist; never after a denial */
            fallback: ("id-jag" | "passthrough" | "service" | "oauth-pkce")[];
            /** @description When ID-JAGs were first seen to work at this `resource_url`, or first again after an approval. From then on the fallback needs an approval that is newer */
            id_jag_used_at: string | null;
            /** @description The same of users who could consent themselves there (`oauth-pkce`) */
            consent_used_at: string | null;
            /** @description When an administrator last approved the fallback as it is */
            fallback_approved_at: string | null;
            /** @description Audiences of users' own tokens that the tool server accepts, in addition to its `resource_url` */
            passthrough_audiences: string[];
            /** @description In which the API key is sent; null: `Authorization`, as a bearer token */
            api_key_header: string | null;
            /** @description PEM: trusted for a mutual TLS connector instead of the well-known CAs */
            ca_certificates: string | null;
            has_fallback_secret: boolean;
            /** @enum {string} */
            status: "pending" | "ready" | "error";
            metadata: {
                authorization_servers: string[];
                /** @description null: it does not say */
                scopes_supported: string[] | null;
                /** Format: date-time */
                checked_at: string;
            } | null;
            /** @description `issuer_not_pinned`: name the authorization server in `issuer`, it is at another origin */
            last_error: {
                code: string;
                /** Format: date-time */
                at: string;
            } | null;
            enabled: boolean;
            /** @description That passthrough bypasses audience scoping is known. False without this method */
            acknowledge_legacy: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description In a list with `include=version`. */
        ConnectorWithVersion: {
            id: string;
            name: string;
            /** @description Begins the names of its tools at the hub: `notes_search`. Unique, deleted connectors included. Made of the name at first, and never changed with it; null: registered by the version before, until the next change */
            slug: string | null;
            /** @description The tool server's resource identifier, as written: it is the `aud` of its tokens */
            resource_url: string;
            /** @description The MCP endpoint, at the same origin as `resource_url`. null: `resource_url` itself, as written, or `/mcp` there if it has neither a path nor a query */
            mcp_url: string | null;
            /** @enum {string} */
            auth_method: "id-jag" | "passthrough" | "service" | "oauth-pkce";
            service_kind: ("mtls" | "api_key") | null;
            scopes: string[];
            /** @description What single tools may ask for beyond `scopes`; nothing else is ever asked for. A token with such a scope is used for the tool that asked, and for no other */
            step_up_scopes: string[];
            /** @description The hub's client at the tool server's authorization server. null, which `id-jag` does not allow: none is registered, and `oauth-pkce` shows the Client ID Metadata Document of the hub, without a secret */
            client_id: string | null;
            /** @description How the hub authenticates at the token endpoint of the authorization server (RFC 7591). With `private_key_jwt` the `secret` is a private JWK. null: as its metadata has it, `client_secret_post` if it takes both; without metadata also. Like the `secret`, it ends with another `auth_method`, unless the request has it */
            token_endpoint_auth_method: ("client_secret_basic" | "client_secret_post" | "private_key_jwt") | null;
            has_secret: boolean;
            secret_updated_at: string | null;
            /** @description Of `id-jag` and `oauth-pkce` alike: the only authorization server that users and the secret are sent to; null: the one at the origin of `resource_url`, and without a secret also the only one that the tool server lists */
            issuer: string | null;
            /** @description Of `id-jag`: `audience` of the token exchange, for an identity provider that has its own name for the authorization server. null: the issuer if its metadata advertises ID-JAGs, or else `resource_url` */
            audience: string | null;
            /** @description In this order, each only where the one before does not exist; never after a denial */
            fallback: ("id-jag" | "passthrough" | "service" | "oauth-pkce")[];
            /** @description When ID-JAGs were first seen to work at this `resource_url`, or first again after an approval. From then on the fallback needs an approval that is newer */
            id_jag_used_at: string | null;
            /** @description The same of users who could consent themselves there (`oauth-pkce`) */
            consent_used_at: string | null;
            /** @description When an administrator last approved the fallback as it is */
            fallback_approved_at: string | null;
            /** @description Audiences of users' own tokens that the tool server accepts, in addition to its `resource_url` */
            passthrough_audiences: string[];
            /** @description In which the API key is sent; null: `Authorization`, as a bearer token */
            api_key_header: string | null;
            /** @description PEM: trusted for a mutual TLS connector instead of the well-known CAs */
            ca_certificates: string | null;
            has_fallback_secret: boolean;
            /** @enum {string} */
            status: "pending" | "ready" | "error";
            metadata: {
                authorization_servers: string[];
                /** @description null: it does not say */
                scopes_supported: string[] | null;
                /** Format: date-time */
                checked_at: string;
            } | null;
            /** @description `issuer_not_pinned`: name the authorization server in `issuer`, it is at another origin */
            last_error: {
                code: string;
                /** Format: date-time */
                at: string;
            } | null;
            enabled: boolean;
            /** @description That passthrough bypasses audience scoping is known. False without this method */
            acknowledge_legacy: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description What its `ETag` has between the quotes */
            version: string;
        };
        /** @description In a list with `deleted=true`. */
        DeletedConnector: {
            id: string;
            name: string;
            /** @description Begins the names of its tools at the hub: `notes_search`. Unique, deleted connectors included. Made of the name at first, and never changed with it; null: registered by the version before, until the next change */
            slug: string | null;
            /** @description The tool server's resource identifier, as written: it is the `aud` of its tokens */
            resource_url: string;
            /** @description The MCP endpoint, at the same origin as `resource_url`. null: `resource_url` itself, as written, or `/mcp` there if it has neither a path nor a query */
            mcp_url: string | null;
            /** @enum {string} */
            auth_method: "id-jag" | "passthrough" | "service" | "oauth-pkce";
            service_kind: ("mtls" | "api_key") | null;
            scopes: string[];
            /** @description What single tools may ask for beyond `scopes`; nothing else is ever asked for. A token with such a scope is used for the tool that asked, and for no other */
            step_up_scopes: string[];
            /** @description The hub's client at the tool server's authorization server. null, which `id-jag` does not allow: none is registered, and `oauth-pkce` shows the Client ID Metadata Document of the hub, without a secret */
            client_id: string | null;
            /** @description How the hub authenticates at the token endpoint of the authorization server (RFC 7591). With `private_key_jwt` the `secret` is a private JWK. null: as its metadata has it, `client_secret_post` if it takes both; without metadata also. Like the `secret`, it ends with another `auth_method`, unless the request has it */
            token_endpoint_auth_method: ("client_secret_basic" | "client_secret_post" | "private_key_jwt") | null;
            has_secret: boolean;
            secret_updated_at: string | null;
            /** @description Of `id-jag` and `oauth-pkce` alike: the only authorization server that users and the secret are sent to; null: the one at the origin of `resource_url`, and without a secret also the only one that the tool server lists */
            issuer: string | null;
            /** @description Of `id-jag`: `audience` of the token exchange, for an identity provider that has its own name for the authorization server. null: the issuer if its metadata advertises ID-JAGs, or else `resource_url` */
            audience: string | null;
            /** @description In this order, each only where the one before does not exist; never after a denial */
            fallback: ("id-jag" | "passthrough" | "service" | "oauth-pkce")[];
            /** @description When ID-JAGs were first seen to work at this `resource_url`, or first again after an approval. From then on the fallback needs an approval that is newer */
            id_jag_used_at: string | null;
            /** @description The same of users who could consent themselves there (`oauth-pkce`) */
            consent_used_at: string | null;
            /** @description When an administrator last approved the fallback as it is */
            fallback_approved_at: string | null;
            /** @description Audiences of users' own tokens that the tool server accepts, in addition to its `resource_url` */
            passthrough_audiences: string[];
            /** @description In which the API key is sent; null: `Authorization`, as a bearer token */
            api_key_header: string | null;
            /** @description PEM: trusted for a mutual TLS connector instead of the well-known CAs */
            ca_certificates: string | null;
            has_fallback_secret: boolean;
            /** @enum {string} */
            status: "pending" | "ready" | "error";
            metadata: {
                authorization_servers: string[];
                /** @description null: it does not say */
                scopes_supported: string[] | null;
                /** Format: date-time */
                checked_at: string;
            } | null;
            /** @description `issuer_not_pinned`: name the authorization server in `issuer`, it is at another origin */
            last_error: {
                code: string;
                /** Format: date-time */
                at: string;
            } | null;
            enabled: boolean;
            /** @description That passthrough bypasses audience scoping is known. False without this method */
            acknowledge_legacy: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string;
            /**
             * Format: date-time
             * @description Afterwards it is purged
             */
            restorable_until: string;
            /** @description What its `ETag` has between the quotes */
            version: string;
        };
        /**
         * @example {
         *       "name": "Billing tools",
         *       "resource_url": "https://mcp.acme.com/billing",
         *       "client_id": "hub-prod",
         *       "scopes": [
         *         "mcp:tools:read"
         *       ],
         *       "secret": "the client secret at that tool server"
         *     }
         */
        CreateConnector: {
            name: string;
            /** @description Left out: made of the name */
            slug?: string;
            resource_url: string;
            /** @default null */
            mcp_url: string | null;
            /**
             * @default id-jag
             * @enum {string}
             */
            auth_method: "id-jag" | "passthrough" | "service" | "oauth-pkce";
            /** @default null */
            service_kind: ("mtls" | "api_key") | null;
            /** @default [] */
            scopes: string[];
            /** @default [] */
            step_up_scopes: string[];
            /** @default null */
            client_id: string | null;
            /** @default null */
            token_endpoint_auth_method: ("client_secret_basic" | "client_secret_post" | "private_key_jwt") | null;
            /** @default null */
            issuer: string | null;
            /** @default null */
            audience: string | null;
            /** @default [] */
            fallback: ("passthrough" | "service" | "oauth-pkce")[];
            /** @default [] */
            passthrough_audiences: string[];
            /** @default null */
            api_key_header: string | null;
            /** @default null */
            ca_certificates: string | null;
            /** @default true */
            enabled: boolean;
            /** @default false */
            acknowledge_legacy: boolean;
            secret?: string;
            /** @description Of `service` as a fallback, where `secret` is another method’s */
            fallback_secret?: string;
        };
        UpdateConnector: {
            name?: string;
            slug?: string;
            resource_url?: string;
            mcp_url?: string | null;
            /** @enum {string} */
            auth_method?: "id-jag" | "passthrough" | "service" | "oauth-pkce";
            service_kind?: ("mtls" | "api_key") | null;
            scopes?: string[];
            step_up_scopes?: string[];
            client_id?: string | null;
            token_endpoint_auth_method?: ("client_secret_basic" | "client_secret_post" | "private_key_jwt") | null;
            issuer?: string | null;
            audience?: string | null;
            fallback?: ("passthrough" | "service" | "oauth-pkce")[];
            passthrough_audiences?: string[];
            api_key_header?: string | null;
            ca_certificates?: string | null;
            enabled?: boolean;
            acknowledge_legacy?: boolean;
            secret?: string;
            fallback_secret?: string;
        };
        PutConnectorSecret: {
            secret: string;
        };
        /** @description A domain of the organization, and how it is proved. */
        Domain: {
            id: string;
            /** @description Lower-case ASCII; internationalized names as punycode */
            domain: string;
            /**
             * @description `failed`: it was verified, and the record was missing in three daily checks
             * @enum {string}
             */
            state: "pending" | "verified" | "failed";
            verified_at: string | null;
            /** @description The record that proves the domain, if it exists */
            verification: {
                /** @constant */
                type: "TXT";
                name: string;
                value: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AddDomain: {
            domain: string;
        };
        /**
         * @description What the organization has. null: the caller’s scopes do not show it.
         * @example {
         *       "connectors": {
         *         "total": 3,
         *         "ready": 2,
         *         "error": 0,
         *         "disabled": 1
         *       },
         *       "agents": {
         *         "total": 2,
         *         "active": 1,
         *         "bound": 1
         *       },
         *       "sites": 1,
         *       "members": 12,
         *       "domains": {
         *         "verified": 1,
         *         "pending": 0
         *       },
         *       "first_call_at": "2026-01-15T12:00:00.000Z"
         *     }
         */
        Overview: {
            connectors: {
                total: number;
                /** @description Enabled, and checked with success */
                ready: number;
                /** @description Enabled, and the last check failed */
                error: number;
                disabled: number;
            } | null;
            agents: {
                total: number;
                active: number;
                /** @description Active ones that may use an enabled connector */
                bound: number;
            } | null;
            sites: number | null;
            /** @description Active ones */
            members: number | null;
            domains: {
                verified: number;
                pending: number;
            } | null;
            /** @description When a call was first allowed; null also where none was */
            first_call_at: string | null;
        };
        /**
         * @description Calls of a day, or of a range by connector, agent or rule.
         * @example {
         *       "period_start": "2026-01-15T00:00:00.000Z",
         *       "period_end": "2026-01-16T00:00:00.000Z",
         *       "key": "tool_not_bound",
         *       "allowed": 0,
         *       "refused": 19,
         *       "failed": 0
         *     }
         */
        CallCount: {
            /** Format: date-time */
            period_start: string;
            /**
             * Format: date-time
             * @description Not part of it
             */
            period_end: string;
            /** @description The day, the id of connector or agent, or the rule. null: of no connector or agent */
            key: string | null;
            /** @description A tool’s own error is one of these */
            allowed: number;
            refused: number;
            failed: number;
        };
        /** @description The requests of a day. */
        Usage: {
            /**
             * Format: date-time
             * @description Midnight
             */
            period_start: string;
            /**
             * Format: date-time
             * @description The next midnight, which is not part of it
             */
            period_end: string;
            /** @description What counted against the rate limit, refusals included */
            requests: number;
            /** @description Of them refused because the limit was reached */
            throttled: number;
            /** @description 0 until sites can be embedded */
            embed_sessions: number;
        };
        /**
         * @description What was changed, when and by whom.
         * @example {
         *       "id": "evt_01JZ8QAZ4W6Y8B0D2F4H6K8M0P",
         *       "action": "site.updated",
         *       "occurred_at": "2026-01-15T12:00:00.000Z",
         *       "recorded_at": "2026-01-15T12:00:00.000Z",
         *       "actor": {
         *         "type": "user",
         *         "id": "user_01JZ8Q1A2B3C4D5E6F7G8H9J0K",
         *         "name": "Alice",
         *         "email": "alice@acme.com"
         *       },
         *       "targets": [
         *         {
         *           "type": "site",
         *           "id": "site_01JZ8Q4T9V0M6R3YB2N7K5X1CD",
         *           "name": "Customer portal"
         *         }
         *       ],
         *       "changes": {
         *         "name": {
         *           "from": "Portal",
         *           "to": "Customer portal"
         *         }
         *       },
         *       "context": {
         *         "request_id": "req_01JZ8Q4T9V0M6R3YB2N7K5X1CD",
         *         "client_request_id": null,
         *         "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
         *         "ip": "192.0.2.7",
         *         "user_agent": "curl/8.5.0",
         *         "auth": "access_token",
         *         "client_id": "console",
         *         "token_id": "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"
         *       },
         *       "details": null,
         *       "truncated": null
         *     }
         */
        AuditEvent: {
            id: string;
            action: string;
            /** Format: date-time */
            occurred_at: string;
            /** @description When it was recorded: services send theirs later. null: by an earlier release */
            recorded_at: string | null;
            actor: {
                /** @enum {string} */
                type: "user" | "service_account" | "system" | "support";
                id: string;
                /** @description As it is now, where it is known */
                name: string | null;
                email: string | null;
            };
            targets: {
                type: string;
                id: string;
                /** @description As it was; where the event has none, as it is now */
                name: string | null;
            }[];
            /** @description Field to what it was and what it is. A text of more than 512 bytes, or other JSON of more than 4096, is `{length, sha256, excerpt}` instead: its length in characters, the digest of its UTF-8 in hexadecimal, and its first 100 characters. Where all changes together take more than 8 KiB, the longest have no `excerpt`. */
            changes: {
                [key: string]: {
                    from: unknown;
                    to: unknown;
                };
            } | null;
            context: {
                /** @description Ours: `X-Request-Id` of the answer */
                request_id: string | null;
                /** @description The `X-Request-Id` that the caller sent */
                client_request_id: string | null;
                /** @description W3C trace id */
                trace_id: string | null;
                ip: string | null;
                user_agent: string | null;
                /** @description What the caller authenticated with */
                auth: ("access_token" | "api_key" | "session" | "transaction" | "scim") | null;
                /** @description The application that sent the request, as its token names it */
                client_id: string | null;
                /** @description SHA-256, in base64url, of the `jti` of the caller’s token, or of a token without one */
                token_id: string | null;
            };
            details: {
                [key: string]: string | number | boolean | null;
            } | null;
            /** @description In lists: what is left out because it is too long. The single event has it */
            truncated: ("changes" | "details")[] | null;
        };
        /**
         * @description Where an onboarding session is.
         * @example {
         *       "user": {
         *         "email": "dave@newco.example",
         *         "name": "Dave",
         *         "organizationName": ""
         *       },
         *       "domains": [],
         *       "csrfToken": "q1fYb6mJ3s8Vx0c2ZtR5uW7hK9eN4aGdPLoTiXyBvMk",
         *       "needsOrgCreation": true,
         *       "suggestedOrgName": "Newco"
         *     }
         */
        OnboardingContext: {
            /** @description Unknown values are empty strings */
            user: {
                email: string;
                name: string;
                organizationName: string;
            };
            /** @description The verified domains of the organization */
            domains: string[];
            /** @description For the next step */
            csrfToken: string;
            needsOrgCreation: boolean;
            suggestedOrgName: string | null;
            warning?: string;
        };
        CreateOrganization: {
            /** Format: uuid */
            session: string;
            csrf_token: string;
            name: string;
        };
        GiveConsent: {
            /** Format: uuid */
            session: string;
            csrf_token: string;
            /** @enum {string} */
            decision: "approve" | "deny";
        };
        /**
         * @description Where to continue.
         * @example {
         *       "redirect_to": "https://app.example/",
         *       "organization_id": "org_01EHWNCE74X7JSDV0X3SZ3KJNY",
         *       "token_refresh_required": true
         *     }
         */
        ConsentGiven: {
            redirect_to: string;
            organization_id: string;
            /**
             * @description The token of the sign-in may not name the organization
             * @constant
             */
            token_refresh_required: true;
        };
    };
    responses: {
        /** @description The request is not valid. `unknown_parameter` */
        Problem400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "unknown_parameter";
                };
            };
        };
        /** @description There is no valid token. `token_missing`, `token_invalid`, `token_expired` */
        Problem401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 401;
                    /** @enum {unknown} */
                    code?: "token_missing" | "token_invalid" | "token_expired";
                };
            };
        };
        /** @description The caller may not do this. `organization_suspended`, `organization_deleted`, `membership_revoked`, `membership_deactivated`, `consent_denied`, `membership_required`, `member_limit_reached`, `service_account_unknown`, `service_account_disabled`, `address_not_allowed` */
        Problem403: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "organization_suspended" | "organization_deleted" | "membership_revoked" | "membership_deactivated" | "consent_denied" | "membership_required" | "member_limit_reached" | "service_account_unknown" | "service_account_disabled" | "address_not_allowed";
                };
            };
        };
        /** @description `Accept` takes no JSON. `not_acceptable` */
        Problem406: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 406;
                    /** @enum {unknown} */
                    code?: "not_acceptable";
                };
            };
        };
        /** @description Too many requests. `rate_limit_exceeded`, `concurrency_exceeded` */
        Problem429: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
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
        /** @description A fault of ours. `internal_error` */
        Problem500: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
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
        /** @description Something that is needed is down. Try again. `service_unavailable`, `idp_unavailable` */
        Problem503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {unknown} */
                    code?: "service_unavailable" | "idp_unavailable";
                };
            };
        };
        /** @description The caller may not do this. `organization_suspended`, `organization_deleted` */
        "Problem403-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "organization_suspended" | "organization_deleted";
                };
            };
        };
        /** @description Too many requests. `rate_limit_exceeded` */
        "Problem429-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @enum {unknown} */
                    code?: "rate_limit_exceeded";
                };
            };
        };
        /** @description The request is not valid. `unknown_parameter`, `validation_failed` */
        "Problem400-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "unknown_parameter" | "validation_failed";
                };
            };
        };
        /** @description The caller may not do this. `organization_suspended`, `organization_deleted`, `membership_revoked`, `membership_deactivated`, `consent_denied`, `membership_required`, `member_limit_reached`, `service_account_unknown`, `service_account_disabled`, `address_not_allowed`, `organization_id_required`, `insufficient_permission` */
        "Problem403-3": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "organization_suspended" | "organization_deleted" | "membership_revoked" | "membership_deactivated" | "consent_denied" | "membership_required" | "member_limit_reached" | "service_account_unknown" | "service_account_disabled" | "address_not_allowed" | "organization_id_required" | "insufficient_permission";
                };
            };
        };
        /** @description The request is not valid. `unknown_parameter`, `validation_failed`, `malformed_path`, `malformed_json` */
        "Problem400-3": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "unknown_parameter" | "validation_failed" | "malformed_path" | "malformed_json";
                };
            };
        };
        /** @description There is no such thing, or it belongs to another organization. `not_found` */
        Problem404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 404;
                    /** @enum {unknown} */
                    code?: "not_found";
                };
            };
        };
        /** @description It cannot be done as things are. `client_unknown`, `quota_exceeded` */
        Problem409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "client_unknown" | "quota_exceeded";
                };
            };
        };
        /** @description The body is too large. `payload_too_large` */
        Problem413: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
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
        /** @description The media type is not read here. `unsupported_media_type` */
        Problem415: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Accept: components["headers"]["Accept"];
                "Accept-Patch": components["headers"]["Accept-Patch"];
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
        /** @description The request is not valid. `unknown_parameter`, `validation_failed`, `malformed_json` */
        "Problem400-4": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "unknown_parameter" | "validation_failed" | "malformed_json";
                };
            };
        };
        /** @description `If-Match` names another version, or `If-None-Match` this one. `version_mismatch` */
        Problem412: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 412;
                    /** @enum {unknown} */
                    code?: "version_mismatch";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress` */
        "Problem409-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress";
                };
            };
        };
        /** @description The `Idempotency-Key` was used for another request. `idempotency_key_reused` */
        Problem422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 422;
                    /** @enum {unknown} */
                    code?: "idempotency_key_reused";
                };
            };
        };
        /** @description The caller may not do this. `organization_suspended`, `organization_deleted`, `membership_revoked`, `membership_deactivated`, `consent_denied`, `membership_required`, `member_limit_reached`, `service_account_unknown`, `service_account_disabled`, `address_not_allowed`, `organization_id_required`, `insufficient_permission`, `suspended_by_operator` */
        "Problem403-4": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "organization_suspended" | "organization_deleted" | "membership_revoked" | "membership_deactivated" | "consent_denied" | "membership_required" | "member_limit_reached" | "service_account_unknown" | "service_account_disabled" | "address_not_allowed" | "organization_id_required" | "insufficient_permission" | "suspended_by_operator";
                };
            };
        };
        /** @description It cannot be done as things are. `confirmation_mismatch` */
        "Problem409-3": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "confirmation_mismatch";
                };
            };
        };
        /** @description The caller may not do this. `organization_suspended`, `organization_deleted`, `membership_revoked`, `membership_deactivated`, `consent_denied`, `membership_required`, `member_limit_reached`, `service_account_unknown`, `service_account_disabled`, `address_not_allowed`, `organization_id_required`, `insufficient_permission`, `role_escalation` */
        "Problem403-5": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "organization_suspended" | "organization_deleted" | "membership_revoked" | "membership_deactivated" | "consent_denied" | "membership_required" | "member_limit_reached" | "service_account_unknown" | "service_account_disabled" | "address_not_allowed" | "organization_id_required" | "insufficient_permission" | "role_escalation";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `last_owner`, `own_membership` */
        "Problem409-4": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "last_owner" | "own_membership";
                };
            };
        };
        /** @description There is no such thing, or it belongs to another organization. `not_found` */
        "Problem404-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 404;
                    /** @enum {unknown} */
                    code?: "not_found";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `role_managed` */
        "Problem409-5": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "role_managed";
                };
            };
        };
        /** @description The request is not valid. `unknown_parameter`, `malformed_path` */
        "Problem400-5": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "unknown_parameter" | "malformed_path";
                };
            };
        };
        /** @description It cannot be done as things are. `last_owner`, `own_membership` */
        "Problem409-6": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "last_owner" | "own_membership";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `last_owner` */
        "Problem409-7": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "last_owner";
                };
            };
        };
        /** @description It cannot be done as things are. `last_owner`, `role_managed` */
        "Problem409-8": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "last_owner" | "role_managed";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `already_member`, `invitation_pending`, `quota_exceeded` */
        "Problem409-9": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "already_member" | "invitation_pending" | "quota_exceeded";
                };
            };
        };
        /** @description The request is not valid. `unknown_parameter`, `validation_failed`, `malformed_path` */
        "Problem400-6": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "unknown_parameter" | "validation_failed" | "malformed_path";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `invitation_closed`, `invitation_pending` */
        "Problem409-10": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "invitation_closed" | "invitation_pending";
                };
            };
        };
        /** @description It cannot be done as things are. `invitation_closed` */
        "Problem409-11": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "invitation_closed";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `tool_hub_not_configured` */
        "Problem409-12": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "tool_hub_not_configured";
                };
            };
        };
        /** @description The request is not valid. `unknown_parameter`, `validation_failed`, `idempotency_not_supported`, `malformed_json` */
        "Problem400-7": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "unknown_parameter" | "validation_failed" | "idempotency_not_supported" | "malformed_json";
                };
            };
        };
        /** @description It cannot be done as things are. `client_already_confirmed` */
        "Problem409-13": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "client_already_confirmed";
                };
            };
        };
        /** @description It cannot be done as things are. `client_already_registered`, `client_is_member` */
        "Problem409-14": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "client_already_registered" | "client_is_member";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `quota_exceeded` */
        "Problem409-15": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "quota_exceeded";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `key_revoked`, `quota_exceeded` */
        "Problem409-16": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "key_revoked" | "quota_exceeded";
                };
            };
        };
        /** @description There is no valid token. `token_missing`, `token_invalid`, `token_expired`, `transaction_token_invalid`, `transaction_token_expired` */
        "Problem401-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 401;
                    /** @enum {unknown} */
                    code?: "token_missing" | "token_invalid" | "token_expired" | "transaction_token_invalid" | "transaction_token_expired";
                };
            };
        };
        /** @description The caller may not do this. `organization_suspended`, `organization_deleted`, `membership_revoked`, `membership_deactivated`, `consent_denied`, `membership_required`, `member_limit_reached`, `service_account_unknown`, `service_account_disabled`, `address_not_allowed`, `organization_id_required`, `insufficient_permission`, `transaction_mismatch`, `transaction_used`, `workload_required`, `workload_unknown` */
        "Problem403-6": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "organization_suspended" | "organization_deleted" | "membership_revoked" | "membership_deactivated" | "consent_denied" | "membership_required" | "member_limit_reached" | "service_account_unknown" | "service_account_disabled" | "address_not_allowed" | "organization_id_required" | "insufficient_permission" | "transaction_mismatch" | "transaction_used" | "workload_required" | "workload_unknown";
                };
            };
        };
        /** @description It cannot be done as things are. `origin_limit_reached` */
        "Problem409-17": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "origin_limit_reached";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `origin_limit_reached` */
        "Problem409-18": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "origin_limit_reached";
                };
            };
        };
        /** @description The request is not valid. `unknown_parameter`, `validation_failed`, `malformed_path`, `idempotency_not_supported`, `malformed_json` */
        "Problem400-8": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "unknown_parameter" | "validation_failed" | "malformed_path" | "idempotency_not_supported" | "malformed_json";
                };
            };
        };
        /** @description It cannot be done as things are. `agent_in_use` */
        "Problem409-19": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "agent_in_use";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `client_bound`, `quota_exceeded` */
        "Problem409-20": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "client_bound" | "quota_exceeded";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `resource_already_registered`, `slug_taken`, `quota_exceeded` */
        "Problem409-21": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "resource_already_registered" | "slug_taken" | "quota_exceeded";
                };
            };
        };
        /** @description Something that is needed is down. Try again. `service_unavailable`, `idp_unavailable`, `secrets_unavailable` */
        "Problem503-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {unknown} */
                    code?: "service_unavailable" | "idp_unavailable" | "secrets_unavailable";
                };
            };
        };
        /** @description It cannot be done as things are. `resource_already_registered`, `slug_taken` */
        "Problem409-22": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "resource_already_registered" | "slug_taken";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `resource_already_registered` */
        "Problem409-23": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "resource_already_registered";
                };
            };
        };
        /** @description It cannot be done as things are. `secret_not_applicable` */
        "Problem409-24": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "secret_not_applicable";
                };
            };
        };
        /** @description It cannot be done as things are. `secret_required` */
        "Problem409-25": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "secret_required";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `fallback_not_used` */
        "Problem409-26": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "fallback_not_used";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `resource_changed` */
        "Problem409-27": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "resource_changed";
                };
            };
        };
        /** @description Another service gave no usable answer. `resource_unreachable` */
        Problem502: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 502;
                    /** @enum {unknown} */
                    code?: "resource_unreachable";
                };
            };
        };
        /** @description Another service gave no usable answer. `tool_hub_error` */
        "Problem502-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 502;
                    /** @enum {unknown} */
                    code?: "tool_hub_error";
                };
            };
        };
        /** @description Something that is needed is down. Try again. `service_unavailable`, `idp_unavailable`, `tool_hub_unavailable` */
        "Problem503-3": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {unknown} */
                    code?: "service_unavailable" | "idp_unavailable" | "tool_hub_unavailable";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `domain_already_added`, `quota_exceeded` */
        "Problem409-28": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "domain_already_added" | "quota_exceeded";
                };
            };
        };
        /** @description It cannot be done as things are. `idempotency_in_progress`, `domain_verified_elsewhere` */
        "Problem409-29": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress" | "domain_verified_elsewhere";
                };
            };
        };
        /** @description The request is not valid. `unknown_parameter`, `validation_failed`, `cursor_invalid`, `not_permitted` */
        "Problem400-9": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "unknown_parameter" | "validation_failed" | "cursor_invalid" | "not_permitted";
                };
            };
        };
        /** @description The request is not valid. `unknown_parameter`, `validation_failed` */
        "Problem400-10": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "unknown_parameter" | "validation_failed";
                };
                "text/html": string;
            };
        };
        /** @description The caller may not do this. `cross_site_request` */
        "Problem403-7": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "cross_site_request";
                };
                "text/html": string;
            };
        };
        /** @description Too many requests. `rate_limit_exceeded` */
        "Problem429-3": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @enum {unknown} */
                    code?: "rate_limit_exceeded";
                };
                "text/html": string;
            };
        };
        /** @description A fault of ours. `internal_error` */
        "Problem500-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 500;
                    /** @enum {unknown} */
                    code?: "internal_error";
                };
                "text/html": string;
            };
        };
        /** @description Another service gave no usable answer. `idp_error` */
        "Problem502-3": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 502;
                    /** @enum {unknown} */
                    code?: "idp_error";
                };
                "text/html": string;
            };
        };
        /** @description Something that is needed is down. Try again. `idp_unavailable` */
        "Problem503-4": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {unknown} */
                    code?: "idp_unavailable";
                };
                "text/html": string;
            };
        };
        /** @description The request is not valid. `unknown_parameter`, `validation_failed`, `oauth_state_invalid` */
        "Problem400-11": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "unknown_parameter" | "validation_failed" | "oauth_state_invalid";
                };
                "text/html": string;
            };
        };
        /** @description The caller may not do this. `organization_suspended` */
        "Problem403-8": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "organization_suspended";
                };
                "text/html": string;
            };
        };
        /** @description It cannot be done as things are. `organization_exists`, `organization_link_refused` */
        "Problem409-30": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "organization_exists" | "organization_link_refused";
                };
                "text/html": string;
            };
        };
        /** @description Something that is needed is down. Try again. `idp_unavailable`, `service_unavailable` */
        "Problem503-5": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {unknown} */
                    code?: "idp_unavailable" | "service_unavailable";
                };
                "text/html": string;
            };
        };
        /** @description The caller may not do this. `organization_suspended`, `organization_deleted`, `membership_revoked`, `membership_deactivated`, `consent_denied`, `membership_required`, `member_limit_reached`, `service_account_unknown`, `service_account_disabled`, `address_not_allowed`, `insufficient_permission` */
        "Problem403-9": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "organization_suspended" | "organization_deleted" | "membership_revoked" | "membership_deactivated" | "consent_denied" | "membership_required" | "member_limit_reached" | "service_account_unknown" | "service_account_disabled" | "address_not_allowed" | "insufficient_permission";
                };
            };
        };
        /** @description There is no such thing, or it belongs to another organization. `not_found`, `onboarding_session_not_found` */
        "Problem404-3": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 404;
                    /** @enum {unknown} */
                    code?: "not_found" | "onboarding_session_not_found";
                };
            };
        };
        /** @description It cannot be done as things are. `onboarding_session_used` */
        "Problem409-31": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "onboarding_session_used";
                };
            };
        };
        /** @description Its time is over. `onboarding_session_expired` */
        Problem410: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 410;
                    /** @enum {unknown} */
                    code?: "onboarding_session_expired";
                };
            };
        };
        /** @description The caller may not do this. `organization_suspended`, `organization_deleted`, `membership_revoked`, `membership_deactivated`, `consent_denied`, `membership_required`, `member_limit_reached`, `service_account_unknown`, `service_account_disabled`, `address_not_allowed`, `insufficient_permission`, `csrf_token_invalid` */
        "Problem403-10": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "organization_suspended" | "organization_deleted" | "membership_revoked" | "membership_deactivated" | "consent_denied" | "membership_required" | "member_limit_reached" | "service_account_unknown" | "service_account_disabled" | "address_not_allowed" | "insufficient_permission" | "csrf_token_invalid";
                };
            };
        };
        /** @description There is no such thing, or it belongs to another organization. `onboarding_session_not_found` */
        "Problem404-4": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 404;
                    /** @enum {unknown} */
                    code?: "onboarding_session_not_found";
                };
            };
        };
        /** @description It cannot be done as things are. `organization_exists`, `onboarding_in_progress`, `onboarding_session_conflict`, `onboarding_session_used` */
        "Problem409-32": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "organization_exists" | "onboarding_in_progress" | "onboarding_session_conflict" | "onboarding_session_used";
                };
            };
        };
        /** @description Another service gave no usable answer. `idp_error` */
        "Problem502-4": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 502;
                    /** @enum {unknown} */
                    code?: "idp_error";
                };
            };
        };
        /** @description It cannot be done as things are. `client_unknown`, `onboarding_in_progress`, `onboarding_session_conflict`, `onboarding_session_used`, `quota_exceeded` */
        "Problem409-33": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "client_unknown" | "onboarding_in_progress" | "onboarding_session_conflict" | "onboarding_session_used" | "quota_exceeded";
                };
            };
        };
        /** @description The request is not valid. `unknown_parameter` */
        "Problem400-12": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "unknown_parameter";
                };
            };
        };
        /** @description A fault of ours. `internal_error` */
        "Problem500-3": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
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
    parameters: {
        /** @description The `ETag` of the version to be changed; any other gets 412. */
        IfMatch: string;
        /** @description The `ETag` of the version that is known; it gets 304 without a body. */
        IfNoneMatch: string;
        /** @description `*`: create only; if there is one already, 412. */
        IfNoneMatchOfPut: string;
        /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /** @description Names the request in our logs and in the audit trail. */
        "X-Request-Id": string;
        /** @description The version that answered. */
        "API-Version": string;
        /** @description Requests per minute of the plan. */
        "X-RateLimit-Limit": number;
        /** @description Requests left in the running window. */
        "X-RateLimit-Remaining": number;
        /** @description When the window ends, in seconds since the epoch. */
        "X-RateLimit-Reset": number;
        /** @description The plan, its requests and its window in seconds. */
        "RateLimit-Policy": string;
        /** @description Requests left, and seconds until the window ends. */
        RateLimit: string;
        /** @description Seconds to wait. */
        "Retry-After": number;
        /** @description What is wrong with the token (RFC 6750 §3). */
        "WWW-Authenticate": string;
        /** @description The version of the thing, for `If-Match` and `If-None-Match`. */
        ETag: string;
        /** @description Id of the revocation that the tool hub is told of, for `GET /revocations/{id}`. Absent if nothing changed or there is no hub. */
        "Legate-Revocation": string;
        /** @description Where it is. */
        Location: string;
        /** @description `true` where the answer is that of an earlier request. */
        "Idempotent-Replayed": string;
        /** @description For our own use. */
        "Set-Cookie": string;
        /** @description Of a page. */
        "Content-Security-Policy": string;
        /** @description The name of the file. */
        "Content-Disposition": string;
        /** @description The next page, relative to this one (RFC 8288), where there is one. */
        Link: string;
        /** @description The oldest time that was looked for. */
        "Legate-From": string;
        /** @description What is read here instead. */
        Accept: string;
        /** @description What is read here instead. */
        "Accept-Patch": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller, with their organization, role and scopes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getRateLimit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is left of the running window */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimit"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-2"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429-2"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listConsents: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of decisions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Consent"][];
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
            400: components["responses"]["Problem400-2"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    putConsent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutConsent"];
            };
        };
        responses: {
            /** @description Your decision */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Consent"];
                };
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that is known; it gets 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description As it is known */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteOrganization: {
        parameters: {
            query: {
                confirm: string;
            };
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization, deleted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Problem400-2"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-3"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["UpdateOrganization"];
                "application/json": components["schemas"]["UpdateOrganization"];
            };
        };
        responses: {
            /** @description The organization */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Problem400-4"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    suspendOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SuspendOrganization"];
            };
        };
        responses: {
            /** @description The organization */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Problem400-4"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-2"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    reactivateOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Problem400-2"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-4"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-2"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    restoreOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Problem400-2"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-2"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    denyUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DenyUser"];
            };
        };
        responses: {
            /** @description The member */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Legate-Revocation": components["headers"]["Legate-Revocation"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description The user, who was no member */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Legate-Revocation": components["headers"]["Legate-Revocation"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Problem400-4"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-5"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-4"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deactivateMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the member */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeactivateMember"];
            };
        };
        responses: {
            /** @description The member */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Legate-Revocation": components["headers"]["Legate-Revocation"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-5"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-4"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    reinstateMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the member */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReinstateMember"];
            };
        };
        responses: {
            /** @description The member */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-5"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-5"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that is known; it gets 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the member */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description As it is known */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the member */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user is no member any longer */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Legate-Revocation": components["headers"]["Legate-Revocation"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-5"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-6"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the member */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["UpdateMember"];
                "application/json": components["schemas"]["UpdateMember"];
            };
        };
        responses: {
            /** @description The member */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-5"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-8"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    leaveOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description You are no member any longer */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Legate-Revocation": components["headers"]["Legate-Revocation"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-2"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-7"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                sort?: "created_at" | "-created_at" | "last_seen_at" | "-last_seen_at";
                status?: "active" | "deactivated" | "denied" | "removed" | "any";
                source?: "onboarding" | "identity_provider" | "invitation" | "scim" | "operator" | "denial";
                role?: "owner" | "admin" | "developer" | "viewer";
                /** @description Part of the name or e-mail address, in any case; of the name alone for callers who are neither owner nor admin */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"][];
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
            400: components["responses"]["Problem400-2"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                sort?: "created_at" | "-created_at";
                state?: "pending" | "accepted" | "declined" | "revoked" | "expired";
                /** @description The whole address */
                email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invitations */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"][];
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
            400: components["responses"]["Problem400-2"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitation"];
            };
        };
        responses: {
            /** @description The new invitation */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["Problem400-4"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-5"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-9"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that is known; it gets 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the invitation */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /** @description As it is known */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the invitation */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation is revoked */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-5"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-11"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the invitation */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-5"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-10"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    revokeUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeUser"];
            };
        };
        responses: {
            /** @description The hub has confirmed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Revocation"];
                };
            };
            /** @description The hub has not confirmed yet */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Revocation"];
                };
            };
            400: components["responses"]["Problem400-4"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-5"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-12"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getRevocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the revocation */
                revocation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revocation */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Revocation"];
                };
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    confirmClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmClient"];
            };
        };
        responses: {
            /** @description Where your tokens lead */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmedClient"];
                };
            };
            400: components["responses"]["Problem400-7"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-13"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    putServiceAccountClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the service_account */
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutServiceAccountClient"];
            };
        };
        responses: {
            /** @description The service account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredClient"];
                };
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-5"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-14"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteServiceAccountClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the service_account */
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account has no client */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listServiceAccounts: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                sort?: "created_at" | "-created_at" | "name" | "-name";
                role?: "admin" | "developer" | "viewer";
                status?: "active" | "disabled";
                /** @description Part of the name, in any case */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of service accounts */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ServiceAccount"][];
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
            400: components["responses"]["Problem400-2"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateServiceAccount"];
            };
        };
        responses: {
            /** @description The new service account */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccount"];
                };
            };
            400: components["responses"]["Problem400-4"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-5"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-15"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that is known; it gets 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the service_account */
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccount"];
                };
            };
            /** @description As it is known */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the service_account */
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service account is deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the service_account */
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["UpdateServiceAccount"];
                "application/json": components["schemas"]["UpdateServiceAccount"];
            };
        };
        responses: {
            /** @description The service account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccount"];
                };
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-5"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                sort?: "created_at" | "-created_at";
                state?: "live" | "expired" | "revoked" | "any";
                /** @description `user_id` of a member, or id of a service account */
                created_by?: string;
            };
            header?: never;
            path: {
                /** @description Id of the service_account */
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of API keys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
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
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the service_account */
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            /** @description The new key, with its secret */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-5"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-15"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the service_account */
                service_account_id: string;
                /** @description Id of the key */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key, without its secret */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the service_account */
                service_account_id: string;
                /** @description Id of the key */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is good no more */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the service_account */
                service_account_id: string;
                /** @description Id of the key */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateApiKey"];
            };
        };
        responses: {
            /** @description The new key, with its secret */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-5"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-16"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listSites: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                /** @description Default: `created_at`, and `-deleted_at` of deleted ones, which alone can be sorted by it */
                sort?: "created_at" | "-created_at" | "name" | "-name" | "deleted_at" | "-deleted_at";
                /** @description `true`: what was deleted and can still be restored */
                deleted?: "true" | "false";
                /** @description `version`: that of the `ETag` of each, for `If-Match` */
                include?: "version";
                /** @description Only what was changed at this time or later */
                updated_since?: string;
                /** @description Part of the name, in any case */
                search?: string;
                /** @description Sites that allow this origin at the moment */
                origin?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sites */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: (components["schemas"]["Site"] | components["schemas"]["SiteWithVersion"] | components["schemas"]["DeletedSite"])[];
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
            400: components["responses"]["Problem400-2"];
            401: components["responses"]["Problem401-2"];
            403: components["responses"]["Problem403-6"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createSite: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSite"];
            };
        };
        responses: {
            /** @description The new site */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Site"];
                };
            };
            400: components["responses"]["Problem400-4"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-15"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSite: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that is known; it gets 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the site */
                site_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The site */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Site"];
                };
            };
            /** @description As it is known */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401-2"];
            403: components["responses"]["Problem403-6"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteSite: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the site */
                site_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The site is deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateSite: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the site */
                site_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["UpdateSite"];
                "application/json": components["schemas"]["UpdateSite"];
            };
        };
        responses: {
            /** @description The site */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Site"];
                };
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-17"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    restoreSite: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the site */
                site_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The site */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Site"];
                };
            };
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-2"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    purgeSite: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the site */
                site_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nothing is left of the site */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-2"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listSiteOrigins: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of the site */
                site_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of origins */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SiteOrigin"][];
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
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    addSiteOrigin: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the site */
                site_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddSiteOrigin"];
            };
        };
        responses: {
            /** @description The existing origin */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteOrigin"];
                };
            };
            /** @description The new origin */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteOrigin"];
                };
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-18"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    removeSiteOrigin: {
        parameters: {
            query: {
                origin: string;
            };
            header?: never;
            path: {
                /** @description Id of the site */
                site_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The origin is removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    checkSiteOrigin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the site */
                site_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckSiteOrigin"];
            };
        };
        responses: {
            /** @description Whether it may, and why not */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OriginCheck"];
                };
            };
            400: components["responses"]["Problem400-8"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listSiteAgents: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                sort?: "created_at" | "-created_at";
            };
            header?: never;
            path: {
                /** @description Id of the site */
                site_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of links */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SiteAgent"][];
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
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSiteAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that is known; it gets 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the site */
                site_id: string;
                /** @description Id of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteAgent"];
                };
            };
            /** @description As it is known */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    putSiteAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description `*`: create only; if there is one already, 412. */
                "If-None-Match"?: components["parameters"]["IfNoneMatchOfPut"];
            };
            path: {
                /** @description Id of the site */
                site_id: string;
                /** @description Id of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PutSiteAgent"];
            };
        };
        responses: {
            /** @description The existing link */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteAgent"];
                };
            };
            /** @description The new link */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteAgent"];
                };
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteSiteAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the site */
                site_id: string;
                /** @description Id of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The site embeds it no longer */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                /** @description Default: `created_at`, and `-deleted_at` of deleted ones, which alone can be sorted by it */
                sort?: "created_at" | "-created_at" | "name" | "-name" | "deleted_at" | "-deleted_at";
                /** @description `true`: what was deleted and can still be restored */
                deleted?: "true" | "false";
                /** @description `version`: that of the `ETag` of each, for `If-Match` */
                include?: "version";
                /** @description Only what was changed at this time or later */
                updated_since?: string;
                status?: "draft" | "active" | "disabled";
                /** @description Part of the name, in any case */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: (components["schemas"]["AgentSummary"] | components["schemas"]["AgentWithVersion"] | components["schemas"]["DeletedAgent"])[];
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
            400: components["responses"]["Problem400-2"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgent"];
            };
        };
        responses: {
            /** @description The new agent */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["Problem400-4"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-15"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that is known; it gets 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description As it is known */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteAgent: {
        parameters: {
            query?: {
                force?: "true" | "false";
            };
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent is deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-19"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["UpdateAgent"];
                "application/json": components["schemas"]["UpdateAgent"];
            };
        };
        responses: {
            /** @description The agent */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    restoreAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-2"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    purgeAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nothing is left of the agent */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-2"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listAgentConnectors: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                sort?: "created_at" | "-created_at";
            };
            header?: never;
            path: {
                /** @description Id of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of bindings */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AgentConnector"][];
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
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getAgentConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that is known; it gets 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the agent */
                agent_id: string;
                /** @description Id of the connector */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The binding */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentConnector"];
                };
            };
            /** @description As it is known */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    putAgentConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description `*`: create only; if there is one already, 412. */
                "If-None-Match"?: components["parameters"]["IfNoneMatchOfPut"];
            };
            path: {
                /** @description Id of the agent */
                agent_id: string;
                /** @description Id of the connector */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PutAgentConnector"];
            };
        };
        responses: {
            /** @description The existing binding */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacedAgentConnector"];
                };
            };
            /** @description The new binding */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacedAgentConnector"];
                };
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteAgentConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the agent */
                agent_id: string;
                /** @description Id of the connector */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent may not use it any longer */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listAgentClients: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                sort?: "created_at" | "-created_at";
            };
            header?: never;
            path: {
                /** @description Id of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of clients */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AgentClient"][];
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
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createAgentClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgentClient"];
            };
        };
        responses: {
            /** @description The client */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewAgentClient"];
                };
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-20"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteAgentClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the agent */
                agent_id: string;
                /** @description Id of the agent_client */
                agent_client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client is no agent */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listAgentSites: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                sort?: "created_at" | "-created_at";
            };
            header?: never;
            path: {
                /** @description Id of the agent */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of links */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SiteAgent"][];
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
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listConnectorAgents: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                sort?: "created_at" | "-created_at";
            };
            header?: never;
            path: {
                /** @description Id of the connector */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of bindings */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AgentConnector"][];
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
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listConnectors: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                /** @description Default: `created_at`, and `-deleted_at` of deleted ones, which alone can be sorted by it */
                sort?: "created_at" | "-created_at" | "name" | "-name" | "deleted_at" | "-deleted_at";
                /** @description `true`: what was deleted and can still be restored */
                deleted?: "true" | "false";
                /** @description `version`: that of the `ETag` of each, for `If-Match` */
                include?: "version";
                /** @description Only what was changed at this time or later */
                updated_since?: string;
                auth_method?: "id-jag" | "passthrough" | "service" | "oauth-pkce";
                enabled?: "true" | "false";
                status?: "pending" | "ready" | "error";
                /** @description Part of the name, in any case */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of connectors */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: (components["schemas"]["Connector"] | components["schemas"]["ConnectorWithVersion"] | components["schemas"]["DeletedConnector"])[];
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
            400: components["responses"]["Problem400-2"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateConnector"];
            };
        };
        responses: {
            /** @description The new connector */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connector"];
                };
            };
            400: components["responses"]["Problem400-4"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-21"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503-2"];
        };
    };
    getConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that is known; it gets 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the connector */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connector */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connector"];
                };
            };
            /** @description As it is known */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the connector */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connector is deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the connector */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["UpdateConnector"];
                "application/json": components["schemas"]["UpdateConnector"];
            };
        };
        responses: {
            /** @description The connector */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connector"];
                };
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-22"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503-2"];
        };
    };
    restoreConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the connector */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connector */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connector"];
                };
            };
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-23"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    purgeConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the connector */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nothing is left of the connector */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-2"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    putConnectorSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the connector */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutConnectorSecret"];
            };
        };
        responses: {
            /** @description The secret is kept */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-3"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-24"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503-2"];
        };
    };
    deleteConnectorSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the connector */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is no secret */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-25"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    approveConnectorFallback: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the connector */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connector */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connector"];
                };
            };
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-26"];
            412: components["responses"]["Problem412"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    checkConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the connector */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connector */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connector"];
                };
            };
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-27"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    revokeConnectorTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the connector */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No token from before is used any more */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        revoked: true;
                    };
                };
            };
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-12"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502-2"];
            503: components["responses"]["Problem503-3"];
        };
    };
    listDomains: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                sort?: "created_at" | "-created_at" | "domain" | "-domain";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of domains */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Domain"][];
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
            400: components["responses"]["Problem400-2"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    addDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddDomain"];
            };
        };
        responses: {
            /** @description The new domain */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["Problem400-4"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-28"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that is known; it gets 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the domain */
                domain_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            /** @description As it is known */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    removeDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to be changed; any other gets 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the domain */
                domain_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain is removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    verifyDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key gets the same answer and does nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the domain */
                domain_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["Problem400-6"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404-2"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-29"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the organization has */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listCalls: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                /** @description First day; default 30 days before `to` */
                from?: string;
                /** @description The day after the last one; default tomorrow */
                to?: string;
                /** @description `day`: each day, oldest first. Others: of the whole range, the most calls first */
                by?: "day" | "connector" | "agent" | "rule";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of counts */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CallCount"][];
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
            400: components["responses"]["Problem400-2"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listUsage: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                /** @description First day; default 30 days before `to` */
                from?: string;
                /** @description The day after the last one; default tomorrow */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of days */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Usage"][];
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
            400: components["responses"]["Problem400-2"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    exportAuditEvents: {
        parameters: {
            query: {
                /** @description Several are separated by commas; `member.*` stands for all of members */
                action?: string;
                actor_id?: string;
                actor_type?: "user" | "service_account" | "system" | "support";
                /** @description In any case. For owners and administrators */
                actor_email?: string;
                target_id?: string;
                client_id?: string;
                /** @description `context.token_id`, or a digest of a token in `details` */
                token_id?: string;
                request_id?: string;
                trace_id?: string;
                /** @description Of calls and delegations. A tool’s own error is `allowed` */
                outcome?: "allowed" | "refused" | "failed";
                /** @description What decided a call: `details.rule` */
                rule?: string;
                /** @description Part of a name, an id or an e-mail address of actor or targets; within 31 days. For owners and administrators */
                search?: string;
                /** @description Default 30 days ago; the header `Legate-From` says it */
                from?: string;
                to?: string;
                /** @description `ndjson`: an event on each line, and a last one with `end`. `csv`: with a header line */
                format: "ndjson" | "csv";
                /** @description `resume` of an earlier export with the same filters: continues after its last event */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Legate-From": components["headers"]["Legate-From"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400-9"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Items to skip */
                offset?: number;
                /** @description Several are separated by commas; `member.*` stands for all of members */
                action?: string;
                actor_id?: string;
                actor_type?: "user" | "service_account" | "system" | "support";
                /** @description In any case. For owners and administrators */
                actor_email?: string;
                target_id?: string;
                client_id?: string;
                /** @description `context.token_id`, or a digest of a token in `details` */
                token_id?: string;
                request_id?: string;
                trace_id?: string;
                /** @description Of calls and delegations. A tool’s own error is `allowed` */
                outcome?: "allowed" | "refused" | "failed";
                /** @description What decided a call: `details.rule` */
                rule?: string;
                /** @description Part of a name, an id or an e-mail address of actor or targets; within 31 days. For owners and administrators */
                search?: string;
                /** @description Default 30 days ago; the header `Legate-From` says it */
                from?: string;
                to?: string;
                /** @description Default `-occurred_at`. `recorded_at` is to follow the trail without missing an event: it has what was recorded at least 15 seconds ago, and every page has the `Link` to the next one */
                sort?: "occurred_at" | "-occurred_at" | "recorded_at";
                /** @description From the `Link` of a page. Not together with `offset` */
                cursor?: string;
                /** @description Id of an event: what was recorded after it, in that order. For a live view; not together with `cursor`, `offset` or another `sort` */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    "Legate-From": components["headers"]["Legate-From"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditEvent"][];
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
            400: components["responses"]["Problem400-9"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getAuditEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the event */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEvent"];
                };
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-3"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    beginSignIn: {
        parameters: {
            query?: {
                return_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the identity provider */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    Location: components["headers"]["Location"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-10"];
            403: components["responses"]["Problem403-7"];
            429: components["responses"]["Problem429-3"];
            500: components["responses"]["Problem500-2"];
            502: components["responses"]["Problem502-3"];
            503: components["responses"]["Problem503-4"];
        };
    };
    completeSignIn: {
        parameters: {
            query?: {
                state?: string;
                code?: string;
                iss?: string;
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the page */
            303: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    Location: components["headers"]["Location"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-11"];
            403: components["responses"]["Problem403-8"];
            409: components["responses"]["Problem409-30"];
            500: components["responses"]["Problem500-2"];
            502: components["responses"]["Problem502-3"];
            503: components["responses"]["Problem503-5"];
        };
    };
    getOnboardingSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the session */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state, and the CSRF token */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnboardingContext"];
                };
            };
            400: components["responses"]["Problem400-5"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-9"];
            404: components["responses"]["Problem404-3"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-31"];
            410: components["responses"]["Problem410"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrganization"];
            };
        };
        responses: {
            /** @description The state, with the CSRF token of the consent */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnboardingContext"];
                };
            };
            400: components["responses"]["Problem400-7"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-10"];
            404: components["responses"]["Problem404-4"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-32"];
            410: components["responses"]["Problem410"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502-4"];
            503: components["responses"]["Problem503"];
        };
    };
    giveConsent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiveConsent"];
            };
        };
        responses: {
            /** @description Where to continue */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentGiven"];
                };
            };
            400: components["responses"]["Problem400-7"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-10"];
            404: components["responses"]["Problem404-4"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409-33"];
            410: components["responses"]["Problem410"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that is known; it gets 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
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
            /** @description As it is known */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-12"];
            500: components["responses"]["Problem500-3"];
        };
    };
    getReference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["Problem400-12"];
            500: components["responses"]["Problem500-3"];
        };
    };
}
