import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkedId, RunId } from '@troupe/contract'
import { expect } from 'vitest'
import { openDatabase } from '../src/open-database.ts'

const WRITER = fileURLToPath(new URL('insert-until-killed.ts', import.meta.url))
/** Like two containers with one volume: in both, the program is process 1. */
const ALONE = ['--pid', '--fork', '--mount-proc', '--kill-child']
/** The rows that a writer has stored before it is killed. */
const ROWS = 20

/** Whether this user may create a PID namespace; prints a warning if not. */
export const canIsolate = spawnSync('unshare', [...ALONE, 'true']).status === 0
if (!canIsolate) {
  process.stderr.write(
    '!!! Not proven here: that two containers cannot open one data folder. It takes unshare(1) and the right to make a PID namespace.\n',
  )
}

interface Writer {
  /** `owner` once it has stored enough, or the reason for which it was refused. */
  outcome: Promise<'owner' | string>
  /** The ids that it printed after their commit. */
  acknowledged: () => RunId[]
  kill: () => Promise<void>
}

function startWriter(folder: string, writers: Writer[]): Writer {
  const child: ChildProcess = spawn('unshare', [...ALONE, process.execPath, WRITER, folder])
  let printed = ''
  let errors = ''
  const closed = once(child, 'close')
  const outcome = new Promise<string>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (printed.split('\n').length > ROWS) resolve('owner')
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    closed.then(() => resolve(errors))
  })
  const writer: Writer = {
    outcome,
    acknowledged: () =>
      printed
        .split('\n')
        .slice(0, -1)
        .map((id) => checkedId(RunId, id)),
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
  }
  writers.push(writer)
  return writer
}

/**
 * Starts two writers on one folder at once and kills them, several times; expects exactly one owner each time and no
 * lost write.
 */
export async function expectOneOwner(rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-namespaces-'))
  const writers: Writer[] = []
  try {
    const acknowledged: RunId[] = []
    for (let round = 1; round <= rounds; round += 1) {
      const both = [startWriter(folder, writers), startWriter(folder, writers)]
      const outcomes = await Promise.all(both.map(({ outcome }) => outcome))
      expect(outcomes.filter((outcome) => outcome === 'owner')).toHaveLength(1)
      expect(outcomes.find((outcome) => outcome !== 'owner')).toMatch(
        /DatabaseInUseError: Another Troupe process \(pid 1 on host .+ in another container or PID namespace, since /,
      )
      for (const writer of both) {
        await writer.kill()
        acknowledged.push(...writer.acknowledged())
      }
    }
    await using database = await openDatabase({ kind: 'pglite', directory: folder })
    const stored = new Set<string>((await database.read.organizations.all()).map(({ id }) => id))
    expect(acknowledged.length).toBeGreaterThanOrEqual(rounds * ROWS)
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
    // At most the row of each round that was committed and not printed yet.
    expect(stored.size - acknowledged.length).toBeLessThanOrEqual(rounds)
  } finally {
    for (const writer of writers) await writer.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}
