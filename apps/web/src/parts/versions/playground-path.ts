import type { ConfigKind } from '../../core/forms/check-content.ts'
import { type OrganizationPaths, withSearch } from '../../core/url/paths.ts'

/** The playground's path for a version, alone or beside another one. */
export function playgroundPath(
  paths: OrganizationPaths,
  kind: ConfigKind,
  id: string,
  version: string,
  beside?: string,
): string {
  return withSearch(paths[kind](id, 'playground'), { version, beside })
}
