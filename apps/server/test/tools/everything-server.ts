import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '@troupe/test-kit/free-port'

/** The reference server of the protocol, over Streamable HTTP. */
export interface EverythingServer extends AsyncDisposable {
  url: string
}

/** Its program listens on every interface, without a setting for it. */
const LOOPBACK = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net'
  const { listen } = Server.prototype
  Server.prototype.listen = function (port, ...rest) { return listen.call(this, Number(port), '127.0.0.1', ...rest) }
`)}`

/** Starts it as a program, and resolves when it listens. */
export async function startEverythingServer(): Promise<EverythingServer> {
  const port = await freePort()
  const program = new URL(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))
  const child = spawn(process.execPath, ['--import', LOOPBACK, program.pathname, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const listening = new Promise<void>((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes(String(port))) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    ended.then(() => reject(new Error(`The server ended: ${output}`)))
  })
  await listening
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
