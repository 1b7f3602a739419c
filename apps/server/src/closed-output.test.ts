import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const fileOf = (path: string) => new URL(path, import.meta.url).pathname

/** As with `| head -1`: the reader has gone before the program writes. */
test.each([
  ['npm run config', [fileOf('print-config.ts')]],
  ['troupe --help', [fileOf('cli/troupe.js'), '--help']],
])(
  '%s without a reader prints no stack trace and exits with code 141',
  { timeout: 60_000 },
  async (_name, args) => {
    const folder = await mkdtemp(join(tmpdir(), 'troupe-output-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH ?? '', TROUPE_DATA_DIR: folder, PORT: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    let err = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    const [code] = await once(child, 'close')
    expect([code, err]).toEqual([141, ''])
  },
)
