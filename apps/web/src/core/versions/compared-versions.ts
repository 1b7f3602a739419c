import type { AnyVersionId, IdText } from '@troupe/contract'
import type { Param } from '../url/search-params.ts'

/** Two versions that are compared, by their ids: the previous first. */
export interface ComparedVersions {
  from: string
  to: string
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The comparison in a URL: two versions, or a single version, whose change is shown. */
export interface AskedVersions {
  /** Null: the version before `to`. */
  from: string | null
  to: string
}

/** `?compare=a..b` or `?compare=b`; null when absent or no ids. */
export const comparedParam: Param<AskedVersions | null> = {
  read: (text) => {
    const ids = (text ?? '').split('..')
    const to = ids.at(-1) ?? ''
    if (ids.length > 2 || !ids.every((id) => ID.test(id))) return null
    return { from: ids.length === 1 ? null : (ids[0] ?? null), to }
  },
  write: (value) => {
    if (value === null) return null
    return value.from === null ? value.to : `${value.from}..${value.to}`
  },
}

interface VersionOnPage {
  versionId: IdText<AnyVersionId>
}

/**
 * The two versions to compare. A single version is compared to the previous one, the first one to itself, and one on
 * another page to the live version. Two selected versions are kept, even if they are the same.
 *
 * @param listed the versions of the page, newest first
 * @param before the version before the last one of the page
 */
export function comparedOf(
  { from, to }: AskedVersions,
  listed: readonly VersionOnPage[],
  before: VersionOnPage | undefined,
  currentVersionId: IdText<AnyVersionId>,
): ComparedVersions {
  if (from !== null) return { from, to }
  const index = listed.findIndex(({ versionId }) => versionId === to)
  if (index === -1) return { from: to, to: currentVersionId }
  return { from: (listed[index + 1] ?? before)?.versionId ?? to, to }
}
