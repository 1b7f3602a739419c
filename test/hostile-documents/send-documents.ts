import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { TestServer } from '../../packages/test-kit/src/server/start-test-server.ts'
import type { BodyTarget } from './bodies.ts'
import type { HostileDocument } from './hostile-documents.ts'
import { MemoryWatch } from './memory-watch.ts'

/** The most that one body of 1 MB may cost. */
const MAX_ANSWER_BYTES = 300_000
const MAX_BUSY_MS = 500
const MAX_MEMORY_MB = 100
/** Documents between two collections of garbage. */
const GARBAGE = 10

/** A document with the target that it is sent to. */
export interface SentDocument {
  target: BodyTarget
  document: Pick<HostileDocument, 'name' | 'json'>
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/**
 * Sends documents one after another, and returns a line for each that cost more than a body may. Time is that of this thread on a
 * processor, which is at least as long as the event loop was silent, whatever else the machine does.
 */
export async function costlyDocuments(
  { app }: Pick<TestServer, 'app'>,
  documents: Iterable<SentDocument>,
): Promise<string[]> {
  await using memory = new MemoryWatch()
  const costly: string[] = []
  collect()
  const heapBefore = process.memoryUsage().heapUsed
  let count = 0
  for (const { target, document } of documents) {
    if (count % GARBAGE === 0) collect()
    count += 1
    const body = document.json()
    const idle = process.memoryUsage.rss() / 1_048_576
    memory.take()
    const before = process.threadCpuUsage()
    const answer = await app.inject({
      method: target.method as 'POST',
      url: target.url,
      // An address for each: some routes count by it.
      remoteAddress: `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`,
      headers: { 'content-type': target.contentType, ...target.headersOf(body) },
      payload: body,
    })
    const { user, system } = process.threadCpuUsage(before)
    const busyMs = (user + system) / 1_000
    const memoryMb = memory.take() - idle
    const { statusCode, rawPayload } = answer
    // What was stored comes back as it was sent, with its defaults.
    const isEcho = statusCode < 300 && rawPayload.length < body.length * 1.5
    const faults = [
      ...(statusCode >= 500 ? [`status ${statusCode}`] : []),
      ...(rawPayload.length > MAX_ANSWER_BYTES && !isEcho ? [`an answer of ${rawPayload.length} bytes`] : []),
      ...(busyMs > MAX_BUSY_MS ? [`${Math.round(busyMs)} ms`] : []),
      ...(memoryMb > MAX_MEMORY_MB ? [`${Math.round(memoryMb)} MB`] : []),
    ]
    if (faults.length > 0) costly.push(`${target.name} | ${document.name} | ${faults.join(', ')}`)
  }
  collect()
  const keptMb = (process.memoryUsage().heapUsed - heapBefore) / 1_048_576
  if (keptMb > MAX_MEMORY_MB) costly.push(`${Math.round(keptMb)} MB are kept after ${count} documents`)
  return costly
}
