"""Runs the committed client against a server: BASE_URL, API_KEY, AGENT and TEAM are in the environment."""

import asyncio
import os
import unittest
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

from troupe import AsyncTroupe, Troupe, TroupeError

BASE_URL = os.environ["BASE_URL"]
API_KEY = os.environ["API_KEY"]
AGENT = os.environ["AGENT"]
TEAM = os.environ["TEAM"]
MESSAGE = "Tell me about the weather in ten words or more."


class Cut(httpx.SyncByteStream):
    """Loses the connection behind the second event."""

    def __init__(self, whole: Any) -> None:
        self.whole = whole

    def __iter__(self) -> Iterator[bytes]:
        seen = b""
        for part in self.whole:
            seen += part
            if seen.count(b"\nid: ") >= 2:
                yield part[: max(1, len(part) // 2)]
                raise httpx.ReadError("cut")
            yield part

    def close(self) -> None:
        self.whole.close()


class AsyncCut(httpx.AsyncByteStream):
    """Like Cut."""

    def __init__(self, whole: Any) -> None:
        self.whole = whole

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = b""
        async for part in self.whole:
            seen += part
            if seen.count(b"\nid: ") >= 2:
                yield part[: max(1, len(part) // 2)]
                raise httpx.ReadError("cut")
            yield part

    async def aclose(self) -> None:
        await self.whole.aclose()


class CuttingTransport(httpx.HTTPTransport):
    requests: list[httpx.Request]

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests = [*getattr(self, "requests", []), request]
        response = super().handle_request(request)
        if request.method == "POST":
            response.stream = Cut(response.stream)
        return response


class AsyncCuttingTransport(httpx.AsyncHTTPTransport):
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        if request.method == "POST":
            response.stream = AsyncCut(response.stream)
        return response


class ClientTest(unittest.TestCase):
    def test_an_agent_is_created_run_and_listed(self) -> None:
        with Troupe(BASE_URL, API_KEY) as client:
            made = client.create_agent(name="From Python", config={"instructions": "Be brief."})
            self.assertEqual(made["status"], "draft")
            result = client.run_agent(made["agentId"], message=MESSAGE, include_messages=True)
            self.assertTrue(result["success"])
            self.assertEqual([message["role"] for message in result["messages"] or []], ["user", "assistant"])
            again = client.run_agent(made["agentId"], message="Go on", session_id=result["sessionId"])
            self.assertEqual(again["sessionId"], result["sessionId"])
            self.assertGreater(client.list_agents(limit=100)["total"], 0)

    def test_a_refused_call_raises_its_code(self) -> None:
        with Troupe(BASE_URL, API_KEY) as client, self.assertRaises(TroupeError) as caught:
            client.run_agent("00000000-0000-4000-8000-000000000000", message="Hi")
        self.assertEqual((caught.exception.status, caught.exception.code), (404, "agent_not_found"))
        self.assertTrue(caught.exception.request_id)
        with Troupe(BASE_URL, "wrong") as stranger, self.assertRaises(TroupeError) as refused:
            list(stranger.run_agent_stream(AGENT, message="Hi"))
        self.assertEqual(refused.exception.code, "unauthorized")

    def test_an_id_stays_one_step_of_the_path(self) -> None:
        with Troupe(BASE_URL, API_KEY) as client, self.assertRaises(TroupeError) as caught:
            client.get_agent("../organizations/limits")
        self.assertEqual(caught.exception.status, 404)

    def test_an_answer_without_content_is_read(self) -> None:
        with Troupe(BASE_URL, API_KEY) as client:
            base = client.create_knowledge_base(name="From Python")
            client.delete_knowledge_base(base["knowledgeBaseId"])
            with self.assertRaises(TroupeError):
                client.get_knowledge_base(base["knowledgeBaseId"])

    def test_a_stream_tells_every_event_once_although_its_connection_is_lost(self) -> None:
        cutting = CuttingTransport()
        with Troupe(BASE_URL, API_KEY, http=httpx.Client(transport=cutting)) as client:
            stream = client.run_agent_stream(AGENT, detail="full", message=MESSAGE)
            events = list(stream)
        self.assertEqual([event["seq"] for event in events], list(range(1, len(events) + 1)))
        self.assertEqual(events[-1]["event"], "RunCompleted")
        self.assertEqual(stream.run_id, events[0]["runId"])
        self.assertEqual([request.method for request in cutting.requests], ["POST", "GET"])
        text = "".join(event["delta"] for event in events if event["event"] == "RunContent")
        last = events[-1]
        assert last["event"] == "RunCompleted"
        self.assertEqual(text, last["result"]["content"])

    def test_a_job_of_a_team_is_followed_from_its_stream(self) -> None:
        with Troupe(BASE_URL, API_KEY) as client:
            job = client.run_team_async(TEAM, message=MESSAGE)
            events = list(client.resume_team_stream(TEAM, job["jobId"]))
            self.assertEqual(events[-1]["event"], "RunCompleted")
            self.assertEqual(client.get_team_job(job["jobId"])["status"], "completed")

    def test_a_start_whose_answer_was_lost_is_not_repeated(self) -> None:
        starts = 0

        def lose(_request: httpx.Request) -> httpx.Response:
            nonlocal starts
            starts += 1
            raise httpx.ReadError("lost")

        with Troupe(BASE_URL, API_KEY, http=httpx.Client(transport=httpx.MockTransport(lose))) as client:
            with self.assertRaises(httpx.ReadError):
                list(client.run_agent_stream(AGENT, message=MESSAGE))
        self.assertEqual(starts, 1)

    def test_the_asynchronous_client_does_the_same(self) -> None:
        async def work() -> None:
            async with AsyncTroupe(BASE_URL, API_KEY) as client:
                results = await asyncio.gather(*(client.run_agent(AGENT, message=MESSAGE) for _ in range(3)))
                self.assertEqual([result["success"] for result in results], [True, True, True])
                with self.assertRaises(TroupeError):
                    await client.get_agent("nothing")
            lossy = httpx.AsyncClient(transport=AsyncCuttingTransport())
            async with AsyncTroupe(BASE_URL, API_KEY, http=lossy) as client:
                events = [event async for event in client.run_agent_stream(AGENT, detail="full", message=MESSAGE)]
            self.assertEqual([event["seq"] for event in events], list(range(1, len(events) + 1)))
            self.assertEqual(events[-1]["event"], "RunCompleted")

        asyncio.run(work())


if __name__ == "__main__":
    unittest.main()
