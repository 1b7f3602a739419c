import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { TestServer } from '../../packages/test-kit/src/server/start-test-server.ts'
import type { BodyTarget } from './bodies.ts'
import type { HostileDocument } from './hostile-documents.ts'
import { MemoryWatch } from './memory-watch.ts'

/** The max cost of one body of 1 MB. */
const MAX_ANSWER_BYTES = 300_000
const MAX_BUSY_MS = 500
const MAX_MEMORY_MB = 100
/** Documents between two garbage collections. */
const GARBAGE = 10

/** A document with its target. */
export interface SentDocument {
  target: BodyTarget
  document: Pick<HostileDocument, 'name' | 'json'>
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Number of repetitions of a document that seems too costly. */
const ATTEMPTS = 3

interface Cost {
  statusCode: number
  answerBytes: number
  busyMs: number
  memoryMb: number
}

/** Sends a document and measures it. The time is the CPU time of this thread, at least as long as the event loop was blocked. */
async function costOf(
  app: TestServer['app'],
  { target, body, address }: { target: BodyTarget; body: string; address: string },
  memory: MemoryWatch,
): Promise<Cost> {
  const idle = process.memoryUsage.rss() / 1_048_576
  memory.take()
  const before = process.threadCpuUsage()
  const answer = await app.inject({
    method: target.method as 'POST',
    url: target.url,
    remoteAddress: address,
    headers: { 'content-type': target.contentType, ...target.headersOf(body) },
    payload: body,
  })
  const { user, system } = process.threadCpuUsage(before)
  return {
    statusCode: answer.statusCode,
    answerBytes: answer.rawPayload.length,
    busyMs: (user + system) / 1_000,
    memoryMb: memory.take() - idle,
  }
}

const isCostly = ({ busyMs, memoryMb }: Cost) => busyMs > MAX_BUSY_MS || memoryMb > MAX_MEMORY_MB

function faultsOf({ statusCode, answerBytes, busyMs, memoryMb }: Cost, bodyLength: number): string[] {
  // Stored values are returned as sent, with defaults.
  const isEcho = statusCode < 300 && answerBytes < bodyLength * 1.5
  return [
    ...(statusCode >= 500 ? [`status ${statusCode}`] : []),
    ...(answerBytes > MAX_ANSWER_BYTES && !isEcho ? [`an answer of ${answerBytes} bytes`] : []),
    ...(busyMs > MAX_BUSY_MS ? [`${Math.round(busyMs)} ms`] : []),
    ...(memoryMb > MAX_MEMORY_MB ? [`${Math.round(memoryMb)} MB`] : []),
  ]
}

/**
 * Sends documents one after another, and returns a line for each that exceeded the cost of a body. Such a document is repeated and
 * its minimum cost counts, because other processes on the same cores have multiplied a thread's CPU time by ten.
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
    // A separate address for each: some routes count by it.
    const address = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`
    let cost = await costOf(app, { target, body, address }, memory)
    for (let attempt = 1; attempt < ATTEMPTS && isCostly(cost); attempt += 1) {
      collect()
      const next = await costOf(app, { target, body, address }, memory)
      cost = {
        // An error status is independent of the load.
        statusCode: Math.max(cost.statusCode, next.statusCode),
        answerBytes: Math.max(cost.answerBytes, next.answerBytes),
        busyMs: Math.min(cost.busyMs, next.busyMs),
        memoryMb: Math.min(cost.memoryMb, next.memoryMb),
      }
    }
    const faults = faultsOf(cost, body.length)
    if (faults.length > 0) costly.push(`${target.name} | ${document.name} | ${faults.join(', ')}`)
  }
  collect()
  const keptMb = (process.memoryUsage().heapUsed - heapBefore) / 1_048_576
  if (keptMb > MAX_MEMORY_MB) costly.push(`${Math.round(keptMb)} MB are kept after ${count} documents`)
  return costly
}
