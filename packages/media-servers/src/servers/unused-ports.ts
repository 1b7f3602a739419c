import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the system's range for outgoing connections, so that none of those can occupy a port before it is used. */
const FIRST = 15_000
const LAST = 32_000

const given = new Set<number>()

/** A port of 127.0.0.1 without a listener, neither TCP nor UDP. Never returned again in this process. */
export async function unusedPort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if (given.has(port)) continue
    given.add(port)
    if ((await isFreeTcp(port)) && (await isFreeUdp(port))) return port
  }
}

async function isFreeTcp(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}

async function isFreeUdp(port: number): Promise<boolean> {
  const socket = createSocket('udp4')
  socket.bind(port, '127.0.0.1')
  try {
    await once(socket, 'listening')
  } catch {
    return false
  }
  const closed = once(socket, 'close')
  socket.close()
  await closed
  return true
}
