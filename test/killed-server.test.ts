import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childrenOf, isAlive, processorMsOf } from '@troupe/heavy-work/testing/processes'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { endlessPdf } from '../packages/documents/src/testing/hostile.ts'

/** None of these texts ends before the limit of 20 s of CPU time. */
const WORK = {
  'a document': {
    input: () => endlessPdf(),
    work: `
      const { createDocumentReader } = await import('@documents/reader/document-reader.ts')
      const reader = createDocumentReader({ heavy, maxCharacters: 1_000 })
      await reader.read({ path, format: 'pdf', owner: 'a' })`,
  },
  'a bundle': {
    input: () => `a: ${'['.repeat(4_000_000)}`,
    work: `
      const { readBounded } = await import('@bundles/read/read-bounded.ts')
      await readBounded({ heavy, owner: 'a' }, readFileSync(path, 'utf8'), null)`,
  },
  'an OpenAPI document': {
    input: () => `a: ${'['.repeat(4_000_000)}`,
    work: `
      const { readBoundedDocument } = await import('@tools/openapi/read-bounded-document.ts')
      const text = readFileSync(path, 'utf8')
      await readBoundedDocument({ heavy, owner: 'a' }, { text, address: null, allowed: null })`,
  },
}
const SERVER = `
  import { readFileSync } from 'node:fs'
  const { createHeavyWork } = await import('@heavy-work/index.ts')
  const heavy = createHeavyWork()
  const path = process.argv[2]`
/** Milliseconds; the child needs 10 to detect it, but may wait for a core. */
const GONE = { timeout: 5_000, interval: 10 }
const STARTED = { timeout: 30_000, interval: 10 }

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-killed-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe.runIf(process.platform === 'linux')('a killed server leaves no process behind', () => {
  test.for(Object.entries(WORK))('while it parses %s', { timeout: 60_000 }, async ([, { input, work }]) => {
    const path = join(folder, 'input')
    const program = join(folder, 'server.ts')
    await writeFile(path, input())
    const sources = (_: string, name: string) => new URL(`../packages/${name}/src/`, import.meta.url).href
    await writeFile(program, `${SERVER}\n${work}`.replaceAll(/@([a-z-]+)\//g, sources))
    const server = spawn(process.execPath, [program, path], { stdio: 'ignore' })
    const ended = once(server, 'exit')
    const parser = await vi.waitFor(() => busyChildOf(server.pid ?? 0) ?? expect.fail('none'), STARTED)
    server.kill('SIGKILL')
    await ended
    await vi.waitFor(() => expect(isAlive(parser)).toBe(false), GONE)
  })
})

/** The child with a watchdog that is parsing: it has used more CPU time than a start takes. */
function busyChildOf(pid: number): number | undefined {
  return childrenOf(pid).find((child) => processorMsOf(child) > 1_000)
}
