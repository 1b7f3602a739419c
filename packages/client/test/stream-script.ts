import type { ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import type { StreamEvent } from '@troupe/contract'
import { frame, RUN_ID } from './run-fixture.ts'
import type { Script } from './scripted-server.ts'

/** How a connection ends: normally, cut, or not at all. */
type End = 'end' | 'cut' | 'hang'

function streamHead(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-run-id': RUN_ID })
  response.flushHeaders()
}

/** Writes chunks one by one, each in its own turn of the event loop, then ends the connection. */
export function bytes(chunks: readonly (string | Uint8Array)[], end: End): Script {
  return async (response) => {
    streamHead(response)
    for (const chunk of chunks) {
      await new Promise<void>((resolve) => response.write(chunk, () => resolve()))
      await turn()
    }
    if (end === 'end') response.end()
    if (end === 'cut') response.destroy()
  }
}

/** Writes events with a `retry:` of 1 ms. */
export function events(list: readonly StreamEvent[], end: End = 'end'): Script {
  return bytes(['retry: 1\n\n', ...list.map((event) => frame(event))], end)
}
