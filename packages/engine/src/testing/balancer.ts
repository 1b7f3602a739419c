import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP load balancer, like the one in front of several workers. */
export interface Balancer extends AsyncDisposable {
  url: string
}

/** Forwards each connection to the next port that accepts it. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const sockets = new Set<Socket>()
  let turn = 0
  const server = createServer(async (client) => {
    track(client)
    for (let tries = 0; tries < ports.length; tries += 1) {
      const upstream = connect(ports[turn++ % ports.length] ?? 0, '127.0.0.1')
      track(upstream)
      const connected = await once(upstream, 'connect').then(
        () => true,
        () => false,
      )
      if (!connected) continue
      client.pipe(upstream).pipe(client)
      client.once('close', () => upstream.destroy())
      upstream.once('close', () => client.destroy())
      return
    }
    client.destroy()
  }).listen(0, '127.0.0.1')
  function track(socket: Socket) {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await once(server.close(), 'close')
    },
  }
}
