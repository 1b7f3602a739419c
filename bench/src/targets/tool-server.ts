import { createServer } from 'node:http'

/** A server whose responses cost next to nothing: the cost of a tool call is Troupe's. */
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json').end('{"ok":true}')
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object')
    console.log(`tool server at http://127.0.0.1:${address.port}`)
})
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close(() => process.exit(0))
})
