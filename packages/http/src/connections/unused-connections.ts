import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Closes idle connections without a request, which browsers and balancers open in advance, when the server
 * stops. Node treats such a connection as active and disables its timeouts, so the close would never finish.
 */
export function closeUnusedConnections(app: FastifyInstance): void {
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
