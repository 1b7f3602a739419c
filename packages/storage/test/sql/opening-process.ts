import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const OPENER = fileURLToPath(new URL('open-folder.ts', import.meta.url))

/** A process of open-folder.ts. Disposing kills it. */
export interface OpeningProcess extends AsyncDisposable {
  /** Resolves when the first row is stored, or when the process has ended. */
  ready: Promise<void>
  /** The ids of the rows that it has stored so far. */
  stored: () => string[]
}

/** Starts a process that opens a data folder with the images of a cache folder and stores rows in it. */
export function startOpening(directory: string, cache: string): OpeningProcess {
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    [OPENER, directory, cache],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let printed = ''
  const ready = Promise.withResolvers<void>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (printed.split('\n').length > 2) ready.resolve()
  })
  const closed = once(child, 'close').then(() => ready.resolve())
  return {
    ready: ready.promise,
    stored: () => printed.split('\n').slice(1, -1),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await closed
    },
  }
}
