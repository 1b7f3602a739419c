import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { propertyOf } from '@troupe/contract'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { expect } from 'vitest'
import { startProgram } from '../crash/program.ts'
import { sandboxBundle } from '../crash/sandbox-bundle.ts'
import { mountSmallDisk } from './small-disk.ts'
import { startWriters } from './writers.ts'

const KEY = 'the-key-of-the-test-of-full-disks'
const AGENT = randomUUID()
const WORKFLOW = randomUUID()
const DISK_MB = 256
const WRITERS = 4
/** The promised recovery time. */
const RECOVERY = { timeout: 5_000, interval: 100 }
/** Time limit for noticing a full disk; a loaded machine is slow. */
const NOTICE = { timeout: 10_000, interval: 50 }

/** Accepted work ends, however much of it waits. */
const ENDS = { timeout: 60_000, interval: 50 }

const BUNDLE = sandboxBundle({
  key: KEY,
  agentId: AGENT,
  concurrentRuns: 100_000,
  workflows: [
    {
      slug: 'ask',
      name: 'Ask',
      id: WORKFLOW,
      publish: true,
      graph: {
        nodes: [node('start', 'manual-trigger'), node('ask', 'ai-prompt', { prompt: '{{ trigger.text }}' })],
        edges: [edge('start', 'ask')],
      },
    },
  ],
})

/**
 * Fills the disk of a real program while customers write, and frees it again, several times.
 *
 * @param untilEnd whether to wait until accepted work has ended; work interrupted by a full disk first waits for its lease
 * @returns false if no disk could be mounted
 */
export async function fillAndRecover(times: number, untilEnd: boolean): Promise<boolean> {
  await using disk = await mountSmallDisk(DISK_MB)
  if (disk === null) return false
  const bundle = join(disk.folder, 'bundle.yaml')
  await writeFile(bundle, JSON.stringify(BUNDLE))
  await using program = await startProgram(disk.folder, { TROUPE_BUNDLE: bundle })
  const headers = { 'x-api-key': KEY }
  const status = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(program.origin + path, { headers, ...init })
    return { status: response.status, body: await response.json() }
  }
  const create = () =>
    status('/api/v1/agents', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"name":"B"}',
    })
  const confirmed: string[] = []
  for (let time = 1; time <= times; time++) {
    const access = { origin: program.origin, key: KEY, agentId: AGENT, workflowId: WORKFLOW }
    const writers = startWriters(access, WRITERS)
    await expect.poll(() => writers.confirmed.length, NOTICE).toBeGreaterThan(WRITERS)
    disk.fill()
    await expect
      .poll(() => status('/readyz'), NOTICE)
      .toEqual({
        status: 503,
        body: { status: 'unavailable', missing: ['storage: the disk of the data folder is full'] },
      })
    expect(await create()).toMatchObject({ status: 503, body: { error: 'storage_unavailable' } })
    expect(await status('/api/v1/agents'), 'reads go on').toMatchObject({ status: 200 })
    expect(await status('/healthz')).toMatchObject({ status: 200 })
    disk.free()
    await expect.poll(() => create(), RECOVERY).toMatchObject({ status: 201 })
    await expect.poll(() => status('/readyz'), RECOVERY).toMatchObject({ status: 200 })
    await writers.stop()
    expect([...writers.told.keys()].filter((code) => ![201, 202, 503].includes(code))).toEqual([])
    confirmed.push(...writers.confirmed)
  }
  for (const path of confirmed) {
    const found = () => status(`/api/v1${path}`)
    if (path.startsWith('/agents/')) expect(await found(), path).toMatchObject({ status: 200 })
    else if (untilEnd)
      await expect.poll(async () => endOf(await found()), ENDS).toMatch(/^200 (completed|failed)$/)
    else expect(endOf(await found()), path).toMatch(/^200 (queued|running|completed|failed)$/)
  }
  disk.fill()
  expect(await program.end('SIGTERM'), 'a full disk does not keep a process').toEqual({
    code: 0,
    signal: null,
  })
  return true
}

/** The status of a job or a run, or its absence. */
function endOf({ status, body }: { status: number; body: unknown }): string {
  return `${status} ${propertyOf(body, 'status')}`
}
