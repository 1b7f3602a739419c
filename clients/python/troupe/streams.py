"""The events of a run, read over as many connections as it takes."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import cast

import httpx
import httpx_sse

from .errors import TroupeError, raise_for_error
from .models import StreamEvent
from .transport import AsyncTransport, Call, Transport

TERMINAL = frozenset({"RunCompleted", "RunError", "RunCancelled"})
ATTEMPTS = 6
# Comments arrive every 15 seconds, so a connection that is silent for longer is dead.
SILENCE = httpx.Timeout(45.0, connect=10.0)


class _Progress:
    """What a stream has read, and so how it goes on."""

    def __init__(self, call: Call, resume: str) -> None:
        self.call = call
        self.resume = resume
        self.run_id: str | None = call.ids.get("runId")
        self.last_id: str | None = None
        self.ended = False
        self.failures = 0

    def opened(self, response: httpx.Response) -> None:
        self.run_id = response.headers.get("x-run-id", self.run_id)

    def read(self, sse: httpx_sse.ServerSentEvent) -> StreamEvent:
        self.failures = 0
        self.last_id = sse.id or self.last_id
        self.ended = sse.event in TERMINAL
        return cast(StreamEvent, json.loads(sse.data))

    def next_call(self) -> Call:
        """The first request, or one that goes on behind the last event."""
        if self.run_id is None or (self.last_id is None and self.call.method != "GET"):
            return self.call
        return replace(
            self.call,
            method="GET",
            path=self.resume,
            ids={**self.call.ids, "runId": self.run_id},
            headers={"last-event-id": self.last_id},
            query={name: value for name, value in self.call.query.items() if name == "detail"},
            json=None,
        )

    def pause(self, error: Exception) -> float:
        """Seconds until the next attempt. A start whose answer was lost is not repeated: it might start a second run."""
        self.failures += 1
        repeats = self.run_id is not None or "idempotency-key" in {
            name for name, value in self.call.headers.items() if value is not None
        }
        passing = isinstance(error, httpx.TransportError) or (
            isinstance(error, TroupeError) and error.status in (429, 502, 503) and self.last_id is not None
        )
        if not passing or not repeats or self.failures >= ATTEMPTS:
            raise error
        return float(min(0.2 * 2 ** (self.failures - 1), 5.0))


class RunStream:
    """Iterates over the events of one run; a lost connection is resumed behind the last event."""

    def __init__(self, transport: Transport, call: Call, resume: str) -> None:
        self._transport = transport
        self._progress = _Progress(call, resume)

    @property
    def run_id(self) -> str | None:
        """None until the stream is open."""
        return self._progress.run_id

    def __iter__(self) -> Iterator[StreamEvent]:
        progress = self._progress
        while not progress.ended:
            error: Exception = httpx.RemoteProtocolError("The stream ended before the run.")
            try:
                arguments = progress.next_call().arguments()
                with self._transport.http.stream(**arguments, timeout=SILENCE) as response:
                    if response.status_code >= 400:
                        response.read()
                        raise_for_error(response)
                    progress.opened(response)
                    for sse in httpx_sse.EventSource(response).iter_sse():
                        if sse.data:
                            yield progress.read(sse)
                if progress.ended:
                    return
            except (httpx.TransportError, TroupeError) as failed:
                error = failed
            time.sleep(progress.pause(error))


class AsyncRunStream:
    """Like RunStream, with `async for`."""

    def __init__(self, transport: AsyncTransport, call: Call, resume: str) -> None:
        self._transport = transport
        self._progress = _Progress(call, resume)

    @property
    def run_id(self) -> str | None:
        """None until the stream is open."""
        return self._progress.run_id

    async def __aiter__(self) -> AsyncIterator[StreamEvent]:
        progress = self._progress
        while not progress.ended:
            error: Exception = httpx.RemoteProtocolError("The stream ended before the run.")
            try:
                arguments = progress.next_call().arguments()
                async with self._transport.http.stream(**arguments, timeout=SILENCE) as response:
                    if response.status_code >= 400:
                        await response.aread()
                        raise_for_error(response)
                    progress.opened(response)
                    async for sse in httpx_sse.EventSource(response).aiter_sse():
                        if sse.data:
                            yield progress.read(sse)
                if progress.ended:
                    return
            except (httpx.TransportError, TroupeError) as failed:
                error = failed
            await asyncio.sleep(progress.pause(error))
