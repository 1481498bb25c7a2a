"""Makes an ASGI application a tool server for Legate: metadata, keys, a token endpoint that redeems ID-JAGs, and a gate.

The numbers are those of docs/reference/tool-server-contract.md. Used assertions and keys are in memory: one process, and
clients get new tokens after a restart.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
import threading
import time
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
SKEW_SECONDS = 60
MAX_ID_JAG_SECONDS = 600
ACCESS_TOKEN_SECONDS = 3600
MAX_FORM_BYTES = 64 * 1024
MIN_SECRET_LENGTH = 32


class Refused(Exception):
    """A refusal of the token endpoint (RFC 6749 section 5.2). The reason is for the log, not for the client."""

    def __init__(self, error: str, reason: str, status: int = 400) -> None:
        super().__init__(f"{error}: {reason}")
        self.error, self.status = error, status


class Unavailable(Exception):
    """The keys of the identity provider cannot be read: an outage, which says nothing about the assertion."""


@dataclass(frozen=True)
class Caller:
    """The user of a request. Data belong to all four members together: `sub` alone is not unique."""

    issuer: str
    tenant: str | None
    subject: str
    organization_id: str | None


class ToolServer:
    def __init__(self, *, resource: str, issuer: str, client_id: str, client_secret: str, scopes: list[str]) -> None:
        if len(client_secret) < MIN_SECRET_LENGTH:
            raise ValueError(f"the secret of {client_id} needs {MIN_SECRET_LENGTH} characters or more")
        self.resource, self.issuer, self.scopes = resource, issuer, scopes
        self.clients = {client_id: client_secret}
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.key_id = secrets.token_urlsafe(8)
        self._issuer_keys: jwt.PyJWKClient | None = None
        self._used: dict[tuple[str, str], float] = {}
        self._lock = threading.Lock()

    def routes(self) -> list[Route]:
        return [
            Route("/.well-known/oauth-protected-resource", self._resource_metadata),
            Route("/.well-known/oauth-authorization-server", self._server_metadata),
            Route("/.well-known/jwks.json", self._keys),
            Route("/oauth/token", self._token, methods=["POST"]),
        ]

    async def _resource_metadata(self, _request: Request) -> Response:  # 1
        return JSONResponse(
            {
                "resource": self.resource,
                "authorization_servers": [self.resource],
                "scopes_supported": self.scopes,
                "bearer_methods_supported": ["header"],
            }
        )

    async def _server_metadata(self, _request: Request) -> Response:  # 2
        return JSONResponse(
            {
                "issuer": self.resource,
                "token_endpoint": f"{self.resource}/oauth/token",
                "jwks_uri": f"{self.resource}/.well-known/jwks.json",
                "grant_types_supported": [JWT_BEARER],
                "authorization_grant_profiles_supported": ["urn:ietf:params:oauth:grant-profile:id-jag"],
                "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
                "response_types_supported": [],
            }
        )

    async def _keys(self, _request: Request) -> Response:  # 3
        public = jwt.algorithms.ECAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        return JSONResponse({"keys": [{**public, "kid": self.key_id, "alg": "ES256", "use": "sig"}]})

    async def _token(self, request: Request) -> Response:  # 4 and 7
        headers = {"Cache-Control": "no-store"}
        try:
            form = await _read_form(request)
            client_id = self._authenticate(form, request.headers.get("authorization"))
            if form.get("grant_type") != JWT_BEARER:
                raise Refused("unsupported_grant_type", "grant_type")
            answer = await run_in_threadpool(self._redeem, form, client_id)
            return JSONResponse(answer, headers=headers)
        except Refused as refused:
            print(f"token request refused: {refused}", flush=True)
            return JSONResponse({"error": refused.error}, refused.status, headers)
        except Unavailable as outage:
            print(f"token request failed: {outage}", flush=True)
            return JSONResponse({"error": "temporarily_unavailable"}, 503, {**headers, "Retry-After": "5"})

    def _authenticate(self, form: dict[str, str], authorization: str | None) -> str:
        """Returns the client, by the secret in the header or in the body."""
        client_id, secret = form.get("client_id", ""), form.get("client_secret", "")
        if authorization is not None:
            client_id, secret = _basic(authorization)
        known = self.clients.get(client_id)
        if not hmac.compare_digest((known or "").encode(), secret.encode()) or known is None:
            raise Refused("invalid_client", "unknown client, or wrong secret", 401)
        return client_id

    def _redeem(self, form: dict[str, str], client_id: str) -> dict[str, Any]:
        claims = self._verify_id_jag(form.get("assertion", ""), client_id)
        if form.get("resource", self.resource) != self.resource:
            raise Refused("invalid_target", "another resource")
        granted = set(str(claims.get("scope", "")).split())
        asked = set(form["scope"].split()) if "scope" in form else granted
        if not granted <= set(self.scopes):
            raise Refused("invalid_grant", "a scope that this server does not have")
        if not asked <= granted:
            raise Refused("invalid_scope", "a scope that the assertion does not have")
        self._use_once(claims)  # last, so that a stranger cannot use up somebody's ID-JAG
        return {
            "access_token": self._access_token(claims, client_id, asked),
            "token_type": "Bearer",
            "expires_in": ACCESS_TOKEN_SECONDS,
            "scope": " ".join(sorted(asked)),
        }

    def _verify_id_jag(self, assertion: str, client_id: str) -> dict[str, Any]:  # 5
        try:
            if jwt.get_unverified_header(assertion).get("typ") != "oauth-id-jag+jwt":
                raise Refused("invalid_grant", "typ")
            claims = jwt.decode(
                assertion,
                self._issuer_key(assertion),
                algorithms=["ES256", "RS256"],
                issuer=self.issuer,
                audience=self.resource,
                leeway=SKEW_SECONDS,
                options={"require": ["iss", "sub", "aud", "exp", "iat", "jti", "client_id"]},
            )
        except jwt.PyJWTError as error:
            raise Refused("invalid_grant", type(error).__name__) from error
        if claims["aud"] not in (self.resource, [self.resource]):
            raise Refused("invalid_grant", "aud has others, too")
        if claims["client_id"] != client_id:
            raise Refused("invalid_grant", "client_id")
        if claims["exp"] - claims["iat"] > MAX_ID_JAG_SECONDS:
            raise Refused("invalid_grant", "lives too long")
        if claims.get("resource", self.resource) not in (self.resource, [self.resource]):
            raise Refused("invalid_grant", "resource")
        return claims

    def _issuer_key(self, assertion: str) -> Any:
        """Returns the key of the identity provider that signed: found by its metadata, not by anything in the token."""
        try:
            if self._issuer_keys is None:
                with urllib.request.urlopen(f"{self.issuer}/.well-known/openid-configuration", timeout=5) as answer:
                    metadata = json.load(answer)
                if metadata.get("issuer") != self.issuer:
                    raise Unavailable("the metadata are those of another issuer")
                self._issuer_keys = jwt.PyJWKClient(metadata["jwks_uri"], timeout=5)
            return self._issuer_keys.get_signing_key_from_jwt(assertion).key
        except (OSError, ValueError, KeyError, jwt.PyJWKClientConnectionError) as error:
            raise Unavailable(f"keys of {self.issuer}: {type(error).__name__}") from error

    def _use_once(self, claims: dict[str, Any]) -> None:  # 6
        """With several processes: `SET key 1 NX EX …` in a Redis that they share."""
        now = time.time()
        with self._lock:
            self._used = {key: until for key, until in self._used.items() if until > now}
            key = (claims["iss"], claims["jti"])
            if key in self._used:
                raise Refused("invalid_grant", "used before")
            self._used[key] = claims["exp"] + SKEW_SECONDS

    def _access_token(self, claims: dict[str, Any], client_id: str, scopes: set[str]) -> str:  # 8
        now = int(time.time())
        user = {name: claims[name] for name in ("sub", "tenant", "organization_id") if name in claims}
        own = {"iss": self.resource, "aud": self.resource, "client_id": client_id, "idp": claims["iss"]}
        times = {"iat": now, "exp": now + ACCESS_TOKEN_SECONDS, "jti": secrets.token_urlsafe(16)}
        payload = {**user, **own, **times, "scope": " ".join(sorted(scopes))}
        return jwt.encode(payload, self.key, "ES256", headers={"typ": "at+jwt", "kid": self.key_id})

    def verify_access_token(self, token: str) -> dict[str, Any] | None:
        try:
            if jwt.get_unverified_header(token).get("typ") != "at+jwt":
                return None
            return jwt.decode(
                token,
                self.key.public_key(),
                algorithms=["ES256"],
                issuer=self.resource,
                audience=self.resource,
                options={"require": ["sub", "exp", "idp", "scope"]},
            )
        except jwt.PyJWTError:
            return None


class Gate:
    """Lets only requests with an access token to an application; the scope of these has the `caller`. (9 to 11)"""

    def __init__(self, app: ASGIApp, server: ToolServer, *, scopes: list[str], origins: list[str]) -> None:
        self.app, self.server, self.scopes, self.origins = app, server, scopes, origins
        self.public = {route.path for route in server.routes()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in self.public:
            answer = self._refusal(scope)
            if answer is not None:
                return await answer(scope, receive, send)
        await self.app(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        request = Request(scope)
        origin = request.headers.get("origin")
        if origin is not None and origin not in self.origins:
            return Response(status_code=403)
        authorization = request.headers.get("authorization")
        if authorization is None:
            return self._challenge(401, None)
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token or " " in token:
            return self._challenge(400, "invalid_request")
        claims = self.server.verify_access_token(token)
        if claims is None:
            return self._challenge(401, "invalid_token")
        if not set(self.scopes) <= set(claims["scope"].split()):
            return self._challenge(403, "insufficient_scope")
        scope["caller"] = Caller(claims["idp"], claims.get("tenant"), claims["sub"], claims.get("organization_id"))
        return None

    def _challenge(self, status: int, error: str | None) -> Response:
        metadata = f"{self.server.resource}/.well-known/oauth-protected-resource"
        parts = {"error": error, "scope": " ".join(self.scopes), "resource_metadata": metadata}
        challenge = ", ".join(f'{name}="{value}"' for name, value in parts.items() if value is not None)
        return Response(status_code=status, headers={"WWW-Authenticate": f"Bearer {challenge}"})


async def _read_form(request: Request) -> dict[str, str]:
    """Returns the parameters, of which none may be repeated (RFC 6749 section 3.2)."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_FORM_BYTES:
            raise Refused("invalid_request", "too large", 413)
    try:
        pairs = urllib.parse.parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=bool(body))
    except ValueError as error:
        raise Refused("invalid_request", "no form") from error
    form = dict(pairs)
    if len(form) != len(pairs):
        raise Refused("invalid_request", "a repeated parameter")
    return form


def _basic(authorization: str) -> tuple[str, str]:
    scheme, _, encoded = authorization.partition(" ")
    if scheme.lower() != "basic":
        raise Refused("invalid_client", "another scheme", 401)
    try:
        name, _, secret = base64.b64decode(encoded, validate=True).decode().partition(":")
    except ValueError as error:
        raise Refused("invalid_client", "no Basic credentials", 401) from error
    return urllib.parse.unquote_plus(name), urllib.parse.unquote_plus(secret)
