import { createServer } from 'vite'
import { startLocalServer } from './local-server.ts'

/**
 * `npm run dev -w apps/web`: a separate server with the Playground, and the pages in front of it, with hot reload. Vite serves them
 * without the content security policy; `npm run look` has it.
 */
const PORT = 5_173

const server = await startLocalServer({ publicUrl: `http://localhost:${PORT}` })
const target = { target: server.url }
const vite = await createServer({
  root: new URL('..', import.meta.url).pathname,
  configFile: new URL('../vite.config.ts', import.meta.url).pathname,
  server: {
    port: PORT,
    strictPort: true,
    host: 'localhost',
    // Everything but the pages and their sources.
    proxy: {
      '^/(api|assets|docs|sign-in|sign-out|account|reset-password|invitations|reviews|approvals|forms|start|setup)(/|$)':
        target,
    },
  },
})
await vite.listen()
const { email, password } = server.owner
process.stdout.write(`\n  Open http://localhost:${PORT}\n  as   ${email}\n  with ${password}\n\n`)
process.once('SIGINT', async () => {
  await vite.close()
  await server[Symbol.asyncDispose]()
})
