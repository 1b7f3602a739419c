import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { checkedId, RunId } from '@troupe/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/open-database.ts'

const WRITER = fileURLToPath(new URL('insert-until-killed.ts', import.meta.url))

let folder: string
let writer: ChildProcessByStdio<null, Readable, null> | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-database-'))
})
afterEach(async () => {
  if (writer && writer.exitCode === null && writer.signalCode === null) {
    writer.kill('SIGKILL')
    await once(writer, 'close')
  }
  writer = null
  rmSync(folder, { recursive: true, force: true })
})

describe('a database in a folder', () => {
  it('has every acknowledged row after its process was killed, and belongs to one process at a time', async () => {
    const child = spawn(process.execPath, [WRITER, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    writer = child
    let printed = ''
    const enough = Promise.withResolvers<void>()
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (printed.length > 37 * 100) enough.resolve()
    })
    child.once('close', () => enough.reject(new Error('The writer ended early.')))
    await enough.promise
    await expect(openDatabase({ kind: 'pglite', directory: folder })).rejects.toThrow(
      `Another Troupe process (pid ${child.pid} on host `,
    )
    child.kill('SIGKILL')
    await once(child, 'close')
    await using database = await openDatabase({ kind: 'pglite', directory: folder })
    expect(database.exclusive).toBe(true)
    const acknowledged = printed.split('\n').slice(0, -1)
    const stored = new Set<string>((await database.read.organizations.all()).map((row) => row.id))
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
    const ended = new Set<string>()
    for (const { runId } of await database.jobs.ended(
      'worker-1',
      acknowledged.map((id) => checkedId(RunId, id)),
    ))
      ended.add(runId)
    expect(acknowledged.filter((id) => !ended.has(id))).toEqual([])
    // At most the row that was committed and not printed yet.
    expect(stored.size - acknowledged.length).toBeLessThanOrEqual(1)
  }, 180_000)
})
