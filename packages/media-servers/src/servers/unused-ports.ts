import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections: none of those can take a port before it is used. */
const FIRST = 15_000
const LAST = 32_000

const given = new Set<number>()

/** A port of 127.0.0.1 on which nothing listens, neither TCP nor UDP. No call in this process gives it again. */
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
