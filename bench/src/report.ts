import { mkdir, writeFile } from 'node:fs/promises'
import type { RunRow } from './measures/agent-run.ts'
import type { RecallRow } from './measures/document-recall.ts'
import type { DocumentRow } from './measures/documents.ts'
import type { FirstTokenRow } from './measures/first-token.ts'
import type { GraphRow } from './measures/graph-speed.ts'
import type { JobRow } from './measures/jobs.ts'
import type { KnowledgeRow } from './measures/knowledge.ts'
import type { PageRow } from './measures/page-row.ts'
import type { FireRow } from './measures/schedule-fires.ts'
import type { StartAndIdle } from './measures/start-and-idle.ts'
import type { StreamRow } from './measures/stream-formats.ts'
import type { TeamRow } from './measures/team-modes.ts'
import type { ToolLoopRow } from './measures/tool-loop.ts'
import type { VoiceHour, VoiceRow } from './measures/voice-turns.ts'
import type { WebhookRow } from './measures/webhook-starts.ts'
import type { GrowthRow } from './measures/workflow-growth.ts'
import type { MemoryRow } from './measures/workflow-memory.ts'
import type { WorkflowRow } from './measures/workflow-runs.ts'
import { repositoryFile } from './targets/child.ts'

/** The storage of a measured Troupe. */
export type Storage = 'PGlite' | 'PostgreSQL'

/** The results on one storage. */
export interface StorageReport {
  storage: Storage
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

/** Turns of voice sessions, and the memory of an hour, in Markdown. */
export function voiceTables({ rows, hour }: { rows: readonly VoiceRow[]; hour: VoiceHour }): string {
  const ms = (value: number | null) => (value === null ? '–' : number(value, 0))
  const sessions = rows.map((row) => [
    String(row.sessions),
    String(row.turns),
    ms(row.p50),
    ms(row.p95),
    ms(row.bargeInP50),
    ms(row.bargeInP95),
    number(row.memoryMb, 0),
    `${number(row.processorShare * 100, 0)} %`,
    String(row.misheard),
  ])
  const header = ['sessions', 'turns', 'first sound p50 ms', 'p95', 'silent after p50 ms', 'p95']
  return [
    '## Voice',
    table([...header, 'MB a session', 'of a core', 'misheard'], sessions),
    `An hour of audio, ${hour.turns} turns, in MB: ${hour.memoryMb.map((mb) => number(mb, 0)).join(', ')}`,
  ].join('\n\n')
}

/** The tables of one storage, in Markdown. */
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

/** Team times against their theoretical minimum, in Markdown. */
export function teamTable(storage: Storage, rows: readonly TeamRow[]): string {
  const cells = rows.map((row) => {
    const alone = rows.find(({ target, callers }) => target === row.target && callers === 1)
    return [
      String(row.callers),
      row.target,
      number(row.minimumMs, 0),
      number(row.p50),
      number(row.p50 - row.minimumMs),
      `${number(row.range[0])}–${number(row.range[1])}`,
      number(row.p95),
      alone && row.callers > 1 ? `${number((row.p50 / alone.p50 - 1) * 100)} %` : '',
      row.processorMs === null ? '' : number(row.processorMs),
      row.processorMs === null ? '' : `${number((row.processorMs * row.callers * 100) / row.minimumMs, 0)} %`,
    ]
  })
  const header = [
    ...['callers', 'target', 'minimum', 'p50 ms', 'over', 'range', 'p95 ms', 'more'],
    ...['CPU ms', 'of a core'],
  ]
  return `## Teams (${storage})\n\n${table(header, cells)}`
}

/** Steps of the tool loop, in Markdown. */
export function toolLoopTable(storage: Storage, rows: readonly ToolLoopRow[]): string {
  const cells = rows.map((row) => [
    String(row.callers),
    number(row.bareStepMs, 2),
    number(row.stepMs, 2),
    number(row.stepMs - row.bareStepMs, 2),
    `${number(row.range[0], 2)}–${number(row.range[1], 2)}`,
    number(row.stepsPerSecond, 0),
    number(row.processorMs, 2),
    `${number(row.processorMs * 10, 0)} %`,
  ])
  const header = [
    ...['callers', 'two bare calls ms', 'step ms', 'over', 'range', 'steps/s', 'CPU ms'],
    'of a core at 100 steps/s',
  ]
  return `## Tool loop (${storage})\n\n${table(header, cells)}`
}

/** Streams in both formats, in Markdown. */
export function streamTable(storage: Storage, rows: readonly StreamRow[]): string {
  const cells = rows.map((row) => [
    row.target,
    number(row.runsPerSecond, 0),
    number(row.p50, 2),
    number(row.processorMs, 2),
    `${number(row.range[0], 2)}–${number(row.range[1], 2)}`,
    `${number(row.ofNative * 100)} %`,
  ])
  const header = ['format', 'runs/s', 'p50 ms', 'CPU ms', 'range', 'of native']
  return `## Streams of 100 pieces (${storage})\n\n${table(header, cells)}`
}

/** Jobs of every engine, in Markdown. */
export function jobTable(storage: Storage, rows: readonly JobRow[]): string {
  const cells = rows.map((row) => [
    row.engine,
    number(row.acceptedPerSecond, 0),
    number(row.endedPerSecond, 0),
    `${number(row.range[0], 0)}–${number(row.range[1], 0)}`,
    number(row.aloneMs, 2),
  ])
  const header = ['engine', 'accepted/s', 'ended/s', 'range', 'one alone, ms']
  return `## Jobs (${storage})\n\n${table(header, cells)}`
}

/** Workflow runs against the statements that they must commit, in Markdown. */
export function workflowTable(storage: Storage, rows: readonly WorkflowRow[]): string {
  const cells = rows.map((row) => [
    row.workflow,
    String(row.callers),
    row.target,
    number(row.runsPerSecond, 0),
    `${number(row.range[0], 0)}–${number(row.range[1], 0)}`,
    number(row.p50, 2),
    number(row.p99, 2),
    `${number(row.ofFloor * 100, 0)} %`,
    `${number(row.ofRoute * 100, 0)} %`,
    number(row.processorMs, 2),
    number(row.generatorMs, 2),
  ])
  const header = [
    ...['workflow', 'callers', 'target', 'runs/s', 'range', 'p50 ms', 'p99 ms'],
    ...['of floor', 'of route', 'CPU ms', 'load CPU ms'],
  ]
  return `## Workflows (${storage})\n\n${table(header, cells)}`
}

/** Schedules due in the same second, in Markdown. */
export function fireTable(rows: readonly { storage: Storage; row: FireRow }[]): string {
  const cells = rows.map(({ storage, row: { due, fired, runs, halfMs, lastMs } }) => [
    storage,
    String(due),
    String(fired),
    String(runs),
    `${number(halfMs / 1000)} s`,
    `${number(lastMs / 1000)} s`,
  ])
  return `## Schedules\n\n${table(['database', 'due', 'fired', 'runs', 'half dispatched', 'last dispatched'], cells)}`
}

/** Starts by webhook, in Markdown. */
export function webhookTable(storage: Storage, rows: readonly WebhookRow[]): string {
  const cells = rows.map((row) => [
    String(row.callers),
    row.target,
    number(row.startsPerSecond, 0),
    `${number(row.range[0], 0)}–${number(row.range[1], 0)}`,
    number(row.p50, 2),
    number(row.p99, 2),
    `${number(row.ofRoute * 100, 0)} %`,
  ])
  const header = ['callers', 'target', 'starts/s', 'range', 'p50 ms', 'p99 ms', 'of route']
  return `## Webhooks (${storage})\n\n${table(header, cells)}`
}

/** Runs on an empty database and on a full one, in Markdown. */
export function growthTable(rows: readonly GrowthRow[]): string {
  const cells = rows.map((row) => [
    String(row.callers),
    String(row.endedRuns),
    number(row.runsPerSecond, 0),
    `${number(row.range[0], 0)}–${number(row.range[1], 0)}`,
    number(row.p50, 2),
    number(row.p99, 2),
    number(row.timesSlower, 2),
  ])
  const header = ['callers', 'ended runs', 'runs/s', 'range', 'p50 ms', 'p99 ms', 'times slower']
  return `## Growth (PostgreSQL)\n\n${table(header, cells)}`
}

/** Memory over many runs, in Markdown. */
export function memoryTable(storage: Storage, rows: readonly MemoryRow[]): string {
  const megabytes = (bytes: number) => number(bytes / (1024 * 1024))
  const cells = rows.map(({ runs, resident, heap, external }) => [
    String(runs),
    ...[resident, heap, external].map(megabytes),
  ])
  return `## Memory (${storage})\n\n${table(['runs', 'resident MB', 'heap MB', 'buffers MB'], cells)}`
}

/** The cost of reading documents, in Markdown. */
export function documentTable(rows: readonly DocumentRow[]): string {
  const cells = rows.map((row) => [
    row.document,
    number(row.kilobytes, 0),
    String(row.characters),
    number(row.ms, 0),
    `${number(row.range[0], 0)}–${number(row.range[1], 0)}`,
  ])
  return `## Documents\n\n${table(['document', 'KB', 'characters', 'ms', 'range'], cells)}`
}

/** Word recall of real documents by kind, in Markdown. */
export function recallTable(rows: readonly RecallRow[]): string {
  const cells = rows.map((row) => [
    row.kind,
    String(row.files),
    `${row.whole} of ${row.expected}`,
    String(Object.values(row.failures).reduce((sum, count) => sum + count, 0)),
    number(row.seconds),
    number(row.slowestSeconds),
    row.peakMb === null ? '' : number(row.peakMb, 0),
  ])
  const reasons = rows.flatMap(({ kind, failures }) =>
    Object.entries(failures).map(([reason, count]) => `- ${kind}, ${count} times: ${reason}`),
  )
  const header = ['kind', 'files', 'recall ≥ 0.95', 'not read', 'seconds', 'slowest', 'peak MB']
  return ['## Recall of documents', table(header, cells), reasons.join('\n')].filter(Boolean).join('\n\n')
}

/** The cost of knowledge bases, in Markdown. */
export function knowledgeTable(storage: Storage, row: KnowledgeRow): string {
  const both = ({ p50, p95 }: KnowledgeRow['search']) => `${number(p50)}, ${number(p95)}`
  const rows = [
    ['documents read, pages/s', number(row.pagesPerSecond)],
    ['CPU of a page, ms', number(row.processorMsPerPage)],
    [
      'memory after a tenth, half and all of the documents, MB',
      row.residentMb.map((mb) => number(mb, 0)).join(', '),
    ],
    ['search, p50 and p95, ms', both(row.search)],
    ['search without passages in memory, ms', both(row.searchBySql)],
    ['matching words alone, from memory, ms', both(row.words)],
    ['matching words alone, by SQL, ms', both(row.wordsBySql)],
    [`nearest vectors alone (${row.vectorSearch}), ms`, both(row.nearest)],
    ...(row.nearestInMemory ? [['nearest vectors alone, from memory, ms', both(row.nearestInMemory)]] : []),
    ['recall@5 against exact search', number(row.recall, 3)],
  ]
  return `## Knowledge (${storage}, ${row.documents} documents, ${row.chunks} passages)\n\n${table(['measure', 'value'], rows)}`
}

/** Measurements of the builder's pages, in Markdown. */
export function pageTable(rows: readonly PageRow[]): string {
  const cells = rows.map(({ what, reached, atMost, unit }) => [
    what,
    `${number(reached, 0)} ${unit}`,
    `${number(atMost, 0)} ${unit}`,
  ])
  return `## Pages of the builder\n\n${table(['measure', 'reached', 'at most'], cells)}`
}

/** The cost of large graphs, in Markdown. */
export function graphTable(rows: readonly GraphRow[]): string {
  const cells = rows.map((row) => [
    String(row.nodes),
    String(row.edges),
    number(row.kilobytes, 0),
    ...[row.validateMs, row.compileMs, row.planMs].map((ms) => number(ms)),
  ])
  return `## Graph\n\n${table(['nodes', 'edges', 'KB', 'validate ms', 'compile ms', 'plan ms'], cells)}`
}

/** Start times and memory, in Markdown. */
export function startTable({ first, later }: StartAndIdle): string {
  const cells = Object.entries({ first, later }).map(([name, start]) => [
    name,
    ...[start.ms, start.peakMegabytes, start.idleMegabytes].map((value) => number(value, 0)),
  ])
  return table(['start', 'ready after ms', 'peak MB', 'idle MB'], cells)
}

/** Writes the raw figures to `bench/results/<name>.json`. */
export async function writeJson(name: string, figures: unknown): Promise<void> {
  await mkdir(repositoryFile('bench/results'), { recursive: true })
  await writeFile(repositoryFile(`bench/results/${name}.json`), `${JSON.stringify(figures, null, 2)}\n`)
}
