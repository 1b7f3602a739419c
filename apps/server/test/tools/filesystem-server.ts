import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

/** The reference server for files, which uses standard input and output, behind a Streamable HTTP proxy. */
export interface FilesystemServer extends AsyncDisposable {
  url: string
  /** Running programs: one for each open session. */
  readonly programs: number
}

const PROGRAM = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'))

/** Forwards messages of a session to a separate program and back. */
async function startSession(folder: string, onClosed: () => void): Promise<StreamableHTTPServerTransport> {
  const program = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, folder],
    stderr: 'ignore',
  })
  const session = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID })
  session.onmessage = (message) => void program.send(message)
  program.onmessage = (message) => void session.send(message).catch(() => {})
  session.onclose = () => {
    onClosed()
    void program.close()
  }
  await program.start()
  await session.start()
  return session
}

/** Serves the files of a folder. */
export async function startFilesystemServer(folder: string): Promise<FilesystemServer> {
  const sessions = new Set<StreamableHTTPServerTransport>()
  const sessionOf = async (id: string | string[] | undefined) => {
    const known = [...sessions].find(({ sessionId }) => id !== undefined && sessionId === id)
    if (known) return known
    const session = await startSession(folder, () => sessions.delete(session))
    sessions.add(session)
    return session
  }
  const server = createServer(async (request, response) => {
    const session = await sessionOf(request.headers['mcp-session-id'])
    await session.handleRequest(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    get programs() {
      return sessions.size
    },
    async [Symbol.asyncDispose]() {
      for (const session of sessions) await session.close()
      server.close().closeAllConnections()
      await once(server, 'close')
    },
  }
}
