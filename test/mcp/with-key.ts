import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The address of a proxy that adds an API key to every request, which the suite cannot. */
export interface KeyProxy extends AsyncDisposable {
  url: string
}

/** Starts one in front of a server. */
export async function withKey(target: string, key: string): Promise<KeyProxy> {
  const to = new URL(target)
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
    const path = incoming.url ?? '/'
    const onward = request(
      { host: to.hostname, port: to.port, path, method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
