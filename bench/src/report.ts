import { mkdir, writeFile } from 'node:fs/promises'
import type { RunRow } from './measures/agent-run.ts'
import type { FirstTokenRow } from './measures/first-token.ts'
import type { StartAndIdle } from './measures/start-and-idle.ts'
import { repositoryFile } from './targets/child.ts'

/** What one storage showed. */
export interface StorageReport {
  storage: 'PGlite' | 'PostgreSQL'
  agentRun: RunRow[]
  firstToken: FirstTokenRow[]
}

const number = (value: number, digits = 1) => value.toFixed(digits)

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** The tables of one storage, ready to be pasted. */
export function storageTables({ storage, agentRun, firstToken }: StorageReport): string {
  const runs = agentRun.map((row) => [
    String(row.concurrency),
    row.target,
    number(row.requestsPerSecond, 0),
    `${number(row.range[0], 0)}–${number(row.range[1], 0)}`,
    number(row.p50, 2),
    number(row.p99, 2),
    `${number(row.ofRecorded * 100, 0)} %`,
  ])
  const tokens = firstToken.map((row) => [row.target, number(row.p50, 2), number(row.p99, 2)])
  return [
    `## ${storage}`,
    table(['callers', 'target', 'requests/s', 'range', 'p50 ms', 'p99 ms', 'of (b)'], runs),
    table(['first token', 'p50 ms', 'p99 ms'], tokens),
  ].join('\n\n')
}

/** Start and idle memory as a table. */
export function startTable(start: StartAndIdle): string {
  return table(
    ['first start ms', 'later start ms', 'idle MB'],
    [[number(start.firstStartMs, 0), number(start.laterStartMs, 0), number(start.idleMegabytes, 0)]],
  )
}

/** Writes the raw figures to `bench/results/<name>.json`. */
export async function writeJson(name: string, figures: unknown): Promise<void> {
  await mkdir(repositoryFile('bench/results'), { recursive: true })
  await writeFile(repositoryFile(`bench/results/${name}.json`), `${JSON.stringify(figures, null, 2)}\n`)
}
