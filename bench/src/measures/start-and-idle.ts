import { readFile } from 'node:fs/promises'
import { median } from '../load/statistics.ts'
import { dataFolder, startTroupe } from '../targets/troupe.ts'

const STARTS = 5
const IDLE_MS = 5_000

/** Milliseconds to the first 200, and megabytes of resident memory after idling. */
export interface StartAndIdle {
  firstStartMs: number
  laterStartMs: number
  idleMegabytes: number
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN)
  return kilobytes / 1024
}

/** Start and idle memory of the embedded default (PGlite in a data folder), as a newcomer meets them. */
export async function measureStartAndIdle(): Promise<StartAndIdle> {
  await using folder = await dataFolder()
  const options = { folder: folder.path, modelUrl: 'http://127.0.0.1:9/v1', databaseUrl: null }
  const starts: number[] = []
  let idleMegabytes = Number.NaN
  for (let start = 0; start < STARTS + 1; start++) {
    await using troupe = await startTroupe(options)
    starts.push(troupe.startMs)
    if (start === STARTS) {
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
      idleMegabytes = await residentMegabytes(troupe.child.process.pid ?? 0)
    }
  }
  return { firstStartMs: starts[0] ?? Number.NaN, laterStartMs: median(starts.slice(1)), idleMegabytes }
}
