"""Requests over httpx. A call is described once and sent by either client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx

from .errors import raise_for_error

# Synchronous runs take up to 30 seconds.
TIMEOUT = httpx.Timeout(60.0, connect=10.0)


@dataclass(frozen=True)
class Call:
    """One request below the server's URL; parameters that are None are omitted."""

    method: str
    path: str
    ids: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str | None] = field(default_factory=dict)
    json: Mapping[str, Any] | None = None

    def arguments(self) -> dict[str, Any]:
        path = self.path
        for name, value in self.ids.items():
            path = path.replace("{" + name + "}", quote(value, safe=""))
        return {
            "method": self.method,
            "url": path,
            "params": {name: value for name, value in self.query.items() if value is not None},
            "headers": {name: value for name, value in self.headers.items() if value is not None},
            **({} if self.json is None else {"json": self.json}),
        }


def _result(response: httpx.Response) -> Any:
    raise_for_error(response)
    return None if response.status_code == 204 else response.json()


class Transport:
    """Holds the connections of a synchronous client."""

    def __init__(self, base_url: str, api_key: str, *, http: httpx.Client | None = None) -> None:
        self.http = http or httpx.Client(timeout=TIMEOUT)
        self.http.base_url = httpx.URL(base_url)
        self.http.headers["x-api-key"] = api_key

    def _send(self, call: Call) -> Any:
        return _result(self.http.request(**call.arguments()))

    def close(self) -> None:
        self.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class AsyncTransport:
    """Holds the connections of an asynchronous client."""

    def __init__(self, base_url: str, api_key: str, *, http: httpx.AsyncClient | None = None) -> None:
        self.http = http or httpx.AsyncClient(timeout=TIMEOUT)
        self.http.base_url = httpx.URL(base_url)
        self.http.headers["x-api-key"] = api_key

    async def _send(self, call: Call) -> Any:
        return _result(await self.http.request(**call.arguments()))

    async def close(self) -> None:
        await self.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()
