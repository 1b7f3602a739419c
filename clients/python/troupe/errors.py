"""The error of every refused call."""

from __future__ import annotations

from typing import Any

import httpx


class TroupeError(Exception):
    """A response that is no success. `code` is stable, the message is for people."""

    def __init__(self, status: int, code: str, message: str, body: dict[str, Any], request_id: str | None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.body = body
        """The whole body: `errors` of a failed validation, `retry_after` of a rate limit."""
        self.request_id = request_id


def raise_for_error(response: httpx.Response) -> None:
    """Raises TroupeError for a status from 400; the body must have been read."""
    if response.status_code < 400:
        return
    try:
        parsed = response.json()
    except ValueError:
        parsed = None
    body: dict[str, Any] = parsed if isinstance(parsed, dict) else {}
    raise TroupeError(
        response.status_code,
        str(body.get("error", "unexpected_answer")),
        str(body.get("message", f"The server answered {response.status_code}.")),
        body,
        response.headers.get("x-request-id"),
    )
