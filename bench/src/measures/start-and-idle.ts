import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { median } from '../load/statistics.ts'
import { repositoryFile } from '../targets/child.ts'
import { dataFolder, startTroupe } from '../targets/troupe.ts'

const FIRST_STARTS = 3
const LATER_STARTS = 5
const IDLE_MS = 5_000

/** Milliseconds to the first 200 of `/readyz`; megabytes of resident memory, `peak` since the process began. */
interface Start {
  ms: number
  peakMegabytes: number
  idleMegabytes: number
}

/** Medians of starts with a new data folder, and with one that already has a database. */
export interface StartAndIdle {
  first: Start
  later: Start
}

/** A line of `/proc/PID/status` in megabytes; NaN on systems that have none. */
async function memory(pid: number, line: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(new RegExp(`${line}:\\s+(\\d+) kB`).exec(status)?.[1] ?? Number.NaN) / 1024
}

async function startOnce(folder: string): Promise<Start> {
  await using troupe = await startTroupe({ folder, modelUrl: 'http://127.0.0.1:9/v1', databaseUrl: null })
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  const pid = troupe.child.process.pid ?? 0
  return {
    ms: troupe.startMs,
    peakMegabytes: await memory(pid, 'VmHWM'),
    idleMegabytes: await memory(pid, 'VmRSS'),
  }
}

function medians(starts: readonly Start[]): Start {
  return {
    ms: median(starts.map(({ ms }) => ms)),
    peakMegabytes: median(starts.map(({ peakMegabytes }) => peakMegabytes)),
    idleMegabytes: median(starts.map(({ idleMegabytes }) => idleMegabytes)),
  }
}

/**
 * Start time and memory of the embedded default (PGlite in a data folder), as a new user sees them after `npm
 * ci`.
 */
export async function measureStartAndIdle(): Promise<StartAndIdle> {
  await promisify(execFile)(process.execPath, [repositoryFile('apps/server/src/prepare-first-start.ts')])
  const first: Start[] = []
  const later: Start[] = []
  for (let round = 0; round < FIRST_STARTS; round += 1) {
    await using folder = await dataFolder()
    first.push(await startOnce(folder.path))
    if (round > 0) continue
    for (let start = 0; start < LATER_STARTS; start += 1) later.push(await startOnce(folder.path))
  }
  return { first: medians(first), later: medians(later) }
}
