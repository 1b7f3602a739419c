import { type IdText, ProjectId, parseId } from '@troupe/contract'
import type { DayView } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'

const MICROS = 1_000_000

/** The last 24 hours, in one round trip; `projectId` null: of all projects. */
export async function getDay(
  { observed }: Pick<Database, 'observed'>,
  { organizationId }: BuilderCaller,
  { projectId = null }: { projectId?: IdText<ProjectId> | null },
): Promise<DayView> {
  const { hours, p95Ms, isCut } = await observed.day(
    organizationId,
    projectId === null ? null : parseId(ProjectId, projectId),
  )
  const sum = (of: (hour: (typeof hours)[number]) => number) =>
    hours.reduce((total, hour) => total + of(hour), 0)
  return {
    runs: sum(({ runs }) => runs),
    failed: sum(({ failed }) => failed),
    p95Ms,
    costUsd: sum(({ costMicros }) => costMicros) / MICROS,
    isCut,
    hours: hours.map(({ at, runs, failed, costMicros }) => ({
      at: Math.floor(at / 1000),
      runs,
      failed,
      costUsd: costMicros / MICROS,
    })),
  }
}
