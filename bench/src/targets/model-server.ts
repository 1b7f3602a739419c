import { startModelServer } from '@troupe/test-kit/model-server'
import { teamReply } from './team-script.ts'
import { toolReply } from './tool-agent.ts'

/**
 * The model server, in a separate process so that it takes no CPU time from the measured one. Without an
 * argument it answers every call immediately with the same text; with `tools` it calls a tool in ten steps; with
 * `pieces` it streams a longer text in 100 pieces; with `lanes:<deltas a second>:<deltas>` it streams words at that pace; with a number it
 * plays lead and members of a team, each reply after that many milliseconds.
 */
const [role] = process.argv.slice(2)
const server = await startModelServer({ record: false })
if (role === 'tools') server.respond(({ body }) => toolReply(body))
else if (role === 'pieces')
  server.respond(() => ({ text: 'Eight pieces of a sentence follow, all alike. '.repeat(13), chunks: 100 }))
else if (role?.startsWith('lanes:')) {
  const [, pace = 25, chunks = 250] = role.split(':').map(Number)
  server.respond(() => ({ text: 'melody '.repeat(chunks), chunks, paceMs: 1_000 / pace }))
} else if (role !== undefined) {
  const headersDelayMs = Number(role)
  server.respond(({ body }) => ({ ...teamReply(body), headersDelayMs }))
}
console.log(`model server at ${server.url}`)
process.on('SIGTERM', () => server.close().then(() => process.exit(0)))
