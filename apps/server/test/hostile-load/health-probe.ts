// A process that polls `/healthz` continuously, so that no other work of the test delays its clock.
import { Agent, get } from 'node:http'
import { mainThreadTime, timeBetween } from './thread-time.ts'

/** One request. */
export interface Probe {
  /** Milliseconds since the epoch. */
  at: number
  /** Milliseconds until the response. */
  wallMs: number
  /** Without the time in which the server's main thread or this process was ready to run but had no processor. */
  ownMs: number
}

const EVERY_MS = 25

const [origin = '', pid = ''] = process.argv.slice(2)
const server = Number(pid)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${origin}/healthz`, { agent }, (response) => {
      response.resume()
      response.once('end', resolve)
    }).once('error', reject)
  })
}

async function probe(): Promise<Probe> {
  const before = [mainThreadTime(server), mainThreadTime(process.pid)] as const
  const at = Date.now()
  const askedAt = performance.now()
  await ask()
  const wallMs = performance.now() - askedAt
  const waited = [mainThreadTime(server), mainThreadTime(process.pid)].map(
    (after, index) => timeBetween(before[index] ?? null, after).waitedMs,
  )
  const ownMs = Math.max(0, wallMs - waited.reduce((sum, ms) => sum + ms, 0))
  return { at, wallMs, ownMs }
}

for (;;) {
  process.send?.(await probe())
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
}
