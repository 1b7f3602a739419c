import { createGuardedFetch } from '../../packages/safe-fetch/src/guarded-fetch.ts'
import { McpConnection } from '../../packages/tools/src/mcp/mcp-connection.ts'

/**
 * The client under test, as used by agents: the suite appends the address of its server. Every listed tool is called; a failing
 * call exits with 1.
 */
const url = process.argv.at(-1) ?? ''
const signal = AbortSignal.timeout(20_000)

await using guarded = createGuardedFetch({ allowedNetworks: ['127.0.0.0/8', '::1/128'] })
await using connection = new McpConnection({ url, headers: {}, secrets: [] }, guarded.fetch)
const { tools, leftOut, gaps } = await connection.list(signal)
if (leftOut.length + gaps.length > 0) throw new Error(JSON.stringify({ leftOut, gaps }))
for (const { name, inputSchema } of tools) {
  const { properties } = inputSchema
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  const outcome = await connection.call(
    name,
    Object.fromEntries(names.map((one, at) => [one, at + 1])),
    signal,
  )
  process.stdout.write(`${name}: ${JSON.stringify(outcome)}\n`)
  if (!outcome.ok) process.exitCode = 1
}
