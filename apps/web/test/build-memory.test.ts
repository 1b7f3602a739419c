import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const WEB = join(import.meta.dirname, '..')

// A host of 1 GB must be able to run `npm start` in a checkout. npm and the process that waits need 80 MB beside this.
test('building the pages needs less than 650 MB of memory', async () => {
  const outDir = `dist.memory-${process.pid}`
  using _folder = { [Symbol.dispose]: () => rmSync(join(WEB, outDir), { recursive: true, force: true }) }
  // As `ensure-built.js` starts it.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--max-semi-space-size=1', join(WEB, 'build-in-child.ts'), outDir],
    {
      env: {
        ...process.env,
        MIMALLOC_PURGE_DELAY: '0',
        RAYON_NUM_THREADS: '1',
        TOKIO_WORKER_THREADS: '1',
      },
    },
  )
  const megabytes = Number(stdout)
  expect(megabytes).toBeGreaterThan(50)
  expect(megabytes).toBeLessThan(650)
}, 180_000)
