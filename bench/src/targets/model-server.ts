import { startModelServer } from '@troupe/test-kit/model-server'
import { teamReply } from './team-script.ts'

/**
 * The model server, in a separate process so that it takes no CPU time from the measured one. Without an
 * argument it answers every call immediately with the same text; with a number it plays lead and members of a
 * team, each reply after that many milliseconds.
 */
const [latency] = process.argv.slice(2)
const server = await startModelServer({ record: false })
if (latency !== undefined) {
  const headersDelayMs = Number(latency)
  server.respond(({ body }) => ({ ...teamReply(body), headersDelayMs }))
}
console.log(`model server at ${server.url}`)
process.on('SIGTERM', () => server.close().then(() => process.exit(0)))
