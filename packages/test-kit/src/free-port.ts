import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the system's range for outgoing connections, so that none of those can occupy a port before it is used. */
const FIRST = 15_000
const LAST = 32_000

const given = new Set<number>()

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}

/** A port of 127.0.0.1 without a listener. Never returned again in this process. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}
