"""An MCP server with three note tools, each of which knows its user."""

import os
import uuid
from urllib.parse import urlsplit

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

from id_jag import Caller, Gate, ToolServer

PORT = int(os.environ.get("PORT", "8080"))
RESOURCE = os.environ.get("RESOURCE", f"http://localhost:{PORT}")
MAX_NOTES = 100


class Note(BaseModel):
    id: str
    text: str


class Notes(BaseModel):
    notes: list[Note]


class Deleted(BaseModel):
    deleted: str


# The notes of each user. A real server has a database, with the same key.
notes_of: dict[Caller, list[Note]] = {}
mcp = MCPServer("notes", version="1.0.0")


def notes_for(ctx: Context) -> list[Note]:
    """The tools act for the user of the access token, never for one in an argument."""
    return notes_of.setdefault(ctx.request_context.request.scope["caller"], [])


@mcp.tool(title="Create a note", description="Keeps a note that only the signed-in user can read.")
def create_note(ctx: Context, text: str = Field(min_length=1, max_length=2000)) -> Note:
    notes = notes_for(ctx)
    if len(notes) >= MAX_NOTES:
        raise ToolError(f"There are {MAX_NOTES} notes already. Delete one first.")
    note = Note(id=f"note_{uuid.uuid4()}", text=text)
    notes.append(note)
    return note


@mcp.tool(
    title="List notes",
    description="Lists the notes of the signed-in user, oldest first.",
    annotations=ToolAnnotations(readOnlyHint=True),  # an agent need not ask its user first
)
def list_notes(ctx: Context) -> Notes:
    return Notes(notes=notes_for(ctx))


@mcp.tool(
    title="Delete a note",
    description="Deletes a note of the signed-in user for good.",
    annotations=ToolAnnotations(destructiveHint=True, idempotentHint=True),
)
def delete_note(ctx: Context, id: str) -> Deleted:
    notes = notes_for(ctx)
    for note in notes:
        if note.id == id:
            notes.remove(note)
            return Deleted(deleted=id)
    raise ToolError("There is no note with this id.")


server = ToolServer(
    resource=RESOURCE,
    issuer=os.environ.get("ISSUER", "http://localhost:4002"),
    client_id="tool-hub",
    client_secret=os.environ.get("HUB_SECRET", ""),
    scopes=["notes"],
)
app = mcp.streamable_http_app(stateless_http=True, json_response=True, host=urlsplit(RESOURCE).hostname or "localhost")
app.router.routes[:0] = server.routes()
gate = Gate(app, server, scopes=["notes"], origins=[RESOURCE])

if __name__ == "__main__":
    uvicorn.run(gate, host="localhost", port=PORT, log_level="warning")
