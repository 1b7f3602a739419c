import type { Socket } from 'node:net'
import type { App } from './server-types.ts'

/**
 * Lets nobody hold a server that closes by a connection that has brought no request yet, as browsers and balancers open
 * them in advance: Node takes such a connection for a busy one and stops its timeouts, so it would be waited for without end.
 */
export function closeUnusedConnections(app: App): void {
  const open = new Set<Socket>()
  let closing = false
  app.server.on('connection', (socket) => {
    if (closing) socket.destroy()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', async () => {
    closing = true
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  })
}
