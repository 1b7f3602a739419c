import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '@troupe/storage'
import { expect, test } from 'vitest'
import { newOrganization } from './crash/new-organization.ts'

const PROGRAM = fileURLToPath(new URL('./crash/run-endless-statement.ts', import.meta.url))

test('an endless statement of the embedded database ends the process with an error message, and the next process continues', {
  timeout: 120_000,
}, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'troupe-endless-'))
  await using _folder = { [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) }
  const child = spawn(process.execPath, [PROGRAM, directory], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text))
  const [, signal] = await once(child, 'close')
  expect([signal, said]).toEqual([
    'SIGKILL',
    'The event loop was blocked for 2 seconds: the process ends. Start it again; accepted work is stored.\n',
  ])

  await using database = await openDatabase({ kind: 'pglite', directory })
  await database.transaction(({ write }) => write.organizations.put(newOrganization('after')))
  const stored = await database.read.organizations.all()
  expect(stored.map(({ slug }) => slug).sort()).toEqual(['after', 'before'])
})
