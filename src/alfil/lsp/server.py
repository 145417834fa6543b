"""Receives requests and sends answers; all work is done by one thread beside it.

What is asked is answered from the texts as they are when the request comes. An error in the work is
logged and answers nothing, so that the server outlives it.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from types import NoneType
from typing import Any, TypeVar

from lsprotocol import types
from pygls import server as pygls_server
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, json_rpc

from alfil import __version__
from alfil.lsp import completion, diagnostics, formatting_and_fixes, hover, navigation
from alfil.lsp.documents import Document, clear_report_cache, make_document

Answer = TypeVar("Answer")
# Diagnostics wait until nobody has typed for so many seconds.
TYPING_PAUSE_SECONDS = 0.15
INTERNAL_ERROR_PREFIX = "alfil: internal error in"
# What an editor is told of a request beside that it is answered.
REQUEST_OPTIONS = {
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions(
        trigger_characters=[" ", "=", ",", "|", "("]
    ),
    types.TEXT_DOCUMENT_RENAME: types.RenameOptions(prepare_provider=True),
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions(
        code_action_kinds=[types.CodeActionKind.QuickFix]
    ),
}


@dataclass(frozen=True)
class _InvalidMessage:
    """A message that is none of the protocol, by its id, and what is wrong with it."""

    id: int | str | None
    error: JsonRpcException


class _Protocol(LanguageServerProtocol):
    """Answers also what pygls only logs: an editor would wait for the answer for ever."""

    def structure_message(self, data: dict[str, Any]) -> Any:  # noqa: ANN401 - any kind of message
        """A message, or what it holds, as an object."""
        # A request is found again by its id, which NaN is not, and lists cannot be.
        if "jsonrpc" in data and type(data.get("id")) not in {int, str, NoneType}:
            return _InvalidMessage(None, JsonRpcInvalidRequest())
        try:
            return super().structure_message(data)
        except JsonRpcInvalidParams as error:
            return _InvalidMessage(data.get("id"), error)
        except JsonRpcException:
            return _InvalidMessage(data.get("id"), JsonRpcInvalidRequest())

    def handle_message(self, message: Any) -> None:  # noqa: ANN401 - whatever was sent as JSON
        """Answer a request, or take what needs no answer."""
        if not isinstance(message, _InvalidMessage) and not hasattr(message, "jsonrpc"):
            message = _InvalidMessage(None, JsonRpcInvalidRequest())
        if not isinstance(message, _InvalidMessage):
            super().handle_message(message)
        else:
            # What answers no request in particular has no id, for which pygls has no type.
            refusal = {"code": message.error.code, "message": message.error.message}
            self._send_data({"jsonrpc": self.VERSION, "id": message.id, "error": refusal})


class Server(LanguageServer):
    """The server and the one thread that works for it."""

    def __init__(self) -> None:
        # Whole texts are sent, for what is a line break differs between programs.
        sync = types.TextDocumentSyncKind.Full
        super().__init__("alfil", __version__, sync, protocol_cls=_Protocol)
        self._worker = ThreadPoolExecutor(1)
        self.pictures = False

    def document(self, uri: str) -> Document | None:
        """A document as it is now, with all others that are open; None where there is none."""
        try:
            workspace = self.workspace
        except RuntimeError:
            raise JsonRpcServerNotInitialized from None
        texts = {each.uri: each.source for each in workspace.text_documents.values()}
        encoding = workspace.position_encoding or types.PositionEncodingKind.Utf16
        return make_document(uri, texts, encoding, workspace.root_path or "")

    async def run_task(self, uri: str, task: Callable[[Document], Answer]) -> Answer | None:
        """The answer of a task, None where it fails; what refuses a request is told the user."""
        try:
            document = self.document(uri)
            if document is None:
                return None
            return await asyncio.get_running_loop().run_in_executor(self._worker, task, document)
        except JsonRpcException:
            raise
        except Exception:  # noqa: BLE001 - whatever is wrong, the next request is answered
            words = f"{INTERNAL_ERROR_PREFIX} {task.__qualname__}\n{traceback.format_exc()}"
            self.window_log_message(types.LogMessageParams(types.MessageType.Error, words))
            return None

    async def publish_all(self, uri: str = "") -> None:
        """Send the diagnostics of a document that has changed, then of those it may be part of.

        Nothing is sent that is out of date, while one types, or after the editor has gone.
        """
        # The pause ends early only with the connection.
        with suppress(asyncio.CancelledError):
            await self._publish_after_pause(uri)

    async def _publish_after_pause(self, uri: str) -> None:
        version = self._document_version(uri)
        await asyncio.sleep(TYPING_PAUSE_SECONDS)
        clear_report_cache()
        for each in [uri, *(each for each in self.workspace.text_documents if each != uri)]:
            before = self._document_version(each)
            if version != self._document_version(uri) or before is None:
                continue
            found = await self.run_task(each, diagnostics.protocol_diagnostics)
            if found is not None and before == self._document_version(each):
                self.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(each, found, before)
                )

    def _document_version(self, uri: str) -> int | None:
        """The version of a document, None where it is closed."""
        document = self.workspace.text_documents.get(uri)
        return (document.version or 0) if document else None


def _is_internal_error(record: logging.LogRecord) -> bool:
    """Whether a log entry of pygls is about anything but a message that is not of the protocol."""
    error = record.exc_info[1] if record.exc_info else None
    # A text that is no JSON is a ValueError, one with too many brackets a RecursionError.
    mistakes = (JsonRpcInvalidParams, JsonRpcServerNotInitialized, ValueError, RecursionError)
    return not (isinstance(error, mistakes) or record.msg.startswith("Unable to deserialize"))


def make_server() -> Server:
    """A server that knows all requests but has no connection yet."""
    # What the user is told is no mistake of the server, which pygls would log with a traceback.
    for module in (json_rpc, pygls_server):
        logging.getLogger(module.__name__).addFilter(_is_internal_error)
    server = Server()
    _add_document_handlers(server)
    _add_request_handlers(server)
    return server


def _add_document_handlers(server: Server) -> None:
    """Opening, changing and closing."""

    @server.feature(types.INITIALIZE)
    def _initialize(params: types.InitializeParams) -> None:
        # Whether an editor shows images, it does not say by itself.
        options = params.initialization_options
        server.pictures = isinstance(options, dict) and bool(options.get("pictures"))

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def _changed(params: types.DidOpenTextDocumentParams) -> None:
        await server.publish_all(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def _closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
        await server.publish_all()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def _files_changed(_: types.DidChangeWatchedFilesParams) -> None:
        await server.publish_all()


def _add_request_handlers(server: Server) -> None:
    """What is asked of one document, each with what answers it from what the editor sent."""
    answers: dict[str, Callable[[Document, Any], object]] = {
        types.TEXT_DOCUMENT_HOVER: lambda document, sent: hover.hover_at(
            document, sent.position, pictures=server.pictures
        ),
        types.TEXT_DOCUMENT_COMPLETION: lambda document, sent: completion.completions(
            document, sent.position
        ),
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: lambda document, _: navigation.document_symbols(
            document
        ),
        types.TEXT_DOCUMENT_DEFINITION: lambda document, sent: navigation.definition_at(
            document, sent.position
        ),
        types.TEXT_DOCUMENT_REFERENCES: lambda document, sent: navigation.references_at(
            document, sent.position, with_definition=sent.context.include_declaration
        ),
        types.TEXT_DOCUMENT_PREPARE_RENAME: lambda document, sent: navigation.renamable_range(
            document, sent.position
        ),
        types.TEXT_DOCUMENT_RENAME: lambda document, sent: navigation.rename(
            document, sent.position, sent.new_name
        ),
        types.TEXT_DOCUMENT_FORMATTING: lambda document, _: formatting_and_fixes.format_document(
            document
        ),
        types.TEXT_DOCUMENT_CODE_ACTION: lambda document, sent: formatting_and_fixes.code_actions(
            document, sent.range
        ),
    }
    for method, answer in answers.items():
        server.feature(method, REQUEST_OPTIONS.get(method))(partial(_answer, server, answer))


async def _answer(
    server: Server,
    answer: Callable[[Document, Any], Answer],
    sent: Any,  # noqa: ANN401 - what the request has
) -> Answer | None:
    return await server.run_task(sent.text_document.uri, lambda document: answer(document, sent))
