import type { IdText, ProjectId } from '@troupe/contract'
import type { PhoneNumber, PhoneTrunk } from '@troupe/contract/builder'
import { e164Of } from './typed-numbers.ts'

/** A number with the trunk that it belongs to. */
export interface NumberRow extends PhoneNumber {
  trunk: PhoneTrunk
}

/** The trunks of a project (null: of all projects) whose names or addresses contain a text, sorted. */
export function trunkRows(
  trunks: readonly PhoneTrunk[],
  { q, sort, projectId }: { q: string; sort: 'name' | '-updatedAt'; projectId: IdText<ProjectId> | null },
): PhoneTrunk[] {
  const found = trunks.filter(
    (trunk) => isOf(projectId, trunk) && hasText(q, trunk.name, trunk.slug, trunk.address),
  )
  return found.sort((one, other) =>
    sort === 'name' ? one.name.localeCompare(other.name) : other.updatedAt.localeCompare(one.updatedAt),
  )
}

/** The numbers of a project's trunks whose digits, agents or trunks contain a text, sorted by their digits. */
export function numberRows(
  trunks: readonly PhoneTrunk[],
  { q, projectId }: { q: string; projectId: IdText<ProjectId> | null },
): NumberRow[] {
  const digits = e164Of(q)
  return trunks
    .filter((trunk) => isOf(projectId, trunk))
    .flatMap((trunk) => trunk.numbers.map((number) => ({ ...number, trunk })))
    .filter(
      ({ e164, slug, speaker, trunk }) =>
        (digits !== '' && e164.includes(digits)) || hasText(q, slug, speaker?.agentName ?? '', trunk.name),
    )
    .sort((one, other) => one.e164.localeCompare(other.e164))
}

/** The rows of one page, the first of which is 1. */
export function rowsOfPage<Row>(rows: readonly Row[], page: number, limit: number): Row[] {
  return rows.slice((page - 1) * limit, page * limit)
}

const isOf = (projectId: IdText<ProjectId> | null, trunk: PhoneTrunk) =>
  projectId === null || trunk.projectId === projectId

const hasText = (q: string, ...texts: string[]) =>
  texts.some((text) => text.toLowerCase().includes(q.trim().toLowerCase()))
