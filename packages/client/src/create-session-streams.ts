import type { IdText, RunId, StreamEvent } from '@troupe/contract'
import { sessionConnection } from './call/options.ts'
import type { CalledOperation } from './call/request.ts'
import type { Result } from './call/result.ts'
import { createTransport } from './call/transport.ts'
import type { RunStream } from './stream/run-stream.ts'
import { openKnownRun, openNewRun, type RunReading, type StartRequest } from './stream/stream-call.ts'

/** The streams of runs for a page of the server. */
export interface SessionStreams {
  start(
    start: CalledOperation,
    resume: CalledOperation,
    request: StartRequest,
  ): Promise<Result<RunStream<StreamEvent>>>
  resume(resume: CalledOperation, reading: RunReading): Promise<Result<RunStream<StreamEvent>>>
}

/**
 * Streams for pages that the server itself has served: authenticated by their session cookie, with operations as data,
 * so that no schema is loaded. `origin` is that of the page.
 */
export function createSessionStreams(origin: string): SessionStreams {
  const transport = createTransport(sessionConnection(origin))
  return {
    start: (start, resume, request) => openNewRun(transport, start, resume, request).then(typed),
    resume: (resume, reading) => openKnownRun(transport, resume, reading).then(typed),
  }
}

/** Events of other kinds are skipped while they are read, so what arrives is an event of the contract. */
function typed(result: Result<RunStream<{ event: string; runId: IdText<RunId>; seq: number }>>) {
  return result as Result<RunStream<StreamEvent>>
}
