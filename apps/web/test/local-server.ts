import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@troupe/test-kit/free-port'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const START_MS = 120_000

/** A separate server with the Playground, as run by `npm start` on an empty folder. */
export interface LocalServer extends AsyncDisposable {
  url: string
  /** The Playground's owner. */
  owner: { email: string; password: string }
  /** Signs the owner in once. */
  startLink: string
}

/**
 * Starts `main.js` on a free port and a folder that is deleted afterwards.
 *
 * @param publicUrl where the browser finds the pages, when that is not the server itself
 */
export async function startLocalServer({ publicUrl }: { publicUrl?: string } = {}): Promise<LocalServer> {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-web-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const child = spawn(process.execPath, [join(ROOT, 'apps/server/src/main.js')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      TROUPE_DATA_DIR: folder,
      TROUPE_PUBLIC_URL: publicUrl ?? url,
      TROUPE_PLAYGROUND: 'on',
      LOG_LEVEL: 'warn',
    },
  })
  const dispose = async () => {
    await ended(child)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const { startLink, ...owner } = await printedStart(child)
    await answering(`${url}/readyz`)
    return { url, owner, startLink, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

interface PrintedStart {
  email: string
  password: string
  startLink: string
}

function printedStart(child: ChildProcess): Promise<PrintedStart> {
  return new Promise((resolve, reject) => {
    let printed = ''
    const timer = setTimeout(() => reject(new Error(`The server did not start:\n${printed}`)), START_MS)
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const [, email, password] =
        /as (\S+@playground\.test)\n +with (\S+) \(shown only now\)/.exec(printed) ?? []
      const [startLink] = /http\S+\/start\/\S+/.exec(printed) ?? []
      if (!email || !password || !startLink) return
      clearTimeout(timer)
      resolve({ email, password, startLink })
    })
    child.once('exit', () => {
      clearTimeout(timer)
      reject(new Error(`The server ended:\n${printed}`))
    })
  })
}

async function answering(url: string): Promise<void> {
  const endMs = Date.now() + START_MS
  while (Date.now() < endMs) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${url} did not answer`)
}
