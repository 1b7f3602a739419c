import { startModelServer } from '@troupe/test-kit/model-server'

/** The zero-latency upstream, in a process of its own so that it takes no time from the measured one. */
const server = await startModelServer({ record: false })
console.log(`model server at ${server.url}`)
process.on('SIGTERM', () => server.close().then(() => process.exit(0)))
