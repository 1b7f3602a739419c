import type { ListedRun } from '@troupe/contract/builder'
import { type CsvCell, csvText } from '../files/csv.ts'

const HEADS = [
  'run_id',
  'kind',
  'name',
  'entity_id',
  'version',
  'status',
  'error_code',
  'error',
  'source',
  'started_by',
  'created_at',
  'completed_at',
  'duration_ms',
  'input_tokens',
  'output_tokens',
  'cost_usd',
  'session_id',
  'user_id',
  'tag',
  'test',
] as const

const iso = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1_000).toISOString())

function cellsOf(run: ListedRun): CsvCell[] {
  return [
    run.runId,
    run.kind,
    run.entity.name,
    run.entity.id,
    run.versionNumber,
    run.status,
    run.error?.code ?? null,
    run.error?.message ?? null,
    run.source,
    run.startedBy?.name ?? null,
    iso(run.createdAt),
    iso(run.completedAt),
    run.durationMs,
    run.inputTokens,
    run.outputTokens,
    run.costUsd,
    run.sessionId,
    run.userId,
    run.tag,
    run.isTest ? 'yes' : 'no',
  ]
}

/** Runs as a CSV file, with the names of the API and times in UTC. */
export function runsCsv(runs: readonly ListedRun[]): string {
  return csvText(HEADS, runs.map(cellsOf))
}
