import type { ListedVersion, Version, VersionDetails } from '@troupe/contract/builder'
import type { CountedVersion, VersionContent, VersionRow } from '@troupe/storage'

/** A version in a list. */
export function presentVersion(row: VersionRow): Version {
  const { id, number, label, note, createdBy, createdAt, isCurrent } = row
  return {
    versionId: id,
    number,
    label,
    note,
    createdBy,
    createdAt: createdAt.toISOString(),
    current: isCurrent,
  }
}

/** A version in a list with the outcomes of its runs. */
export function presentListedVersion(row: CountedVersion): ListedVersion {
  return { ...presentVersion(row), runs: { ok: row.completed, failed: row.failed } }
}

/** A version with its content. */
export function presentVersionDetails(row: VersionContent): VersionDetails {
  const { name, description, config, configSchemaVersion } = row
  return { ...presentVersion(row), name, description, config, configSchemaVersion }
}
