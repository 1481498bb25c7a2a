"""An MCP client on the official Python SDK, with the SDK's own OAuth code and nothing that knows of the hub.

Prints one JSON object per line. When the user must sign in, it prints {"authorize": URL} and reads the URL that the redirect
URI was called with from its input.
"""

import asyncio
import json
import sys
import time
from urllib.parse import parse_qs, urlparse

from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

REDIRECT_URI = "http://localhost:6274/oauth/callback"


def report(**fact):
    print(json.dumps(fact), flush=True)


class Memory(TokenStorage):
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


async def redirect(url):
    report(authorize=url)


async def callback():
    line = await asyncio.to_thread(sys.stdin.readline)
    query = parse_qs(urlparse(line.strip()).query)
    return AuthorizationCodeResult(
        code=query["code"][0], state=query["state"][0], iss=query["iss"][0]
    )


async def whoami(url, provider):
    async with create_mcp_http_client(auth=provider) as http_client:
        async with streamable_http_client(url, http_client=http_client) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                tools = (await session.list_tools()).tools
                name = next(tool.name for tool in tools if tool.name.endswith("whoami"))
                result = await session.call_tool(name, {})
                return result.structured_content


async def main(url):
    storage = Memory()
    provider = OAuthClientProvider(
        url,
        OAuthClientMetadata(
            client_name="A client in Python",
            redirect_uris=[REDIRECT_URI],
            grant_types=["authorization_code", "refresh_token"],
            token_endpoint_auth_method="none",
        ),
        storage,
        redirect_handler=redirect,
        callback_handler=callback,
    )
    report(called=await whoami(url, provider))
    before = storage.tokens.refresh_token
    provider.context.token_expiry_time = time.time() - 1
    called = await whoami(url, provider)
    report(called=called, refreshed=storage.tokens.refresh_token != before)


asyncio.run(main(sys.argv[1]))
