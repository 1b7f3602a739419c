import dgram from 'node:dgram'
import dns, { lookup } from 'node:dns'
import { get } from 'node:http'
import { connect, createServer } from 'node:net'
import { forbidConnections } from '../src/child/forbid-connections.ts'

const port = Number(process.argv[2])
forbidConnections()

/** Ways to open a connection, tried against a server that responds. */
const ATTEMPTS: Record<string, () => unknown> = {
  fetch: () => fetch(`http://127.0.0.1:${port}`),
  connect: () => connect(port, '127.0.0.1'),
  get: () => get(`http://127.0.0.1:${port}`),
  listen: () => createServer().listen(0),
  datagram: () => dgram.createSocket('udp4').send('x', port, '127.0.0.1'),
  lookup: () => lookup('localhost', () => {}),
  resolve: () => dns.promises.resolve('localhost'),
  resolver: () => new dns.Resolver().resolve4('localhost', () => {}),
}

const report: Record<string, string> = {}
for (const [name, attempt] of Object.entries(ATTEMPTS)) {
  try {
    await attempt()
    report[name] = 'done'
  } catch {
    report[name] = 'refused'
  }
}
process.stdout.write(JSON.stringify(report), () => process.exit(0))
