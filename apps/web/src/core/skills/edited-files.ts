import { isJsonObject } from '@troupe/contract'
import { isSameJson } from '@troupe/editor/values/json-path'

/** The edited text of a file, with the version of the skill that it was made from. */
export interface EditedFile {
  text: string
  version: string
}

/** The edited files of a skill, by path. */
export type EditedFiles = Readonly<Record<string, EditedFile>>

export function isEditedFiles(value: unknown): value is EditedFiles {
  return (
    isJsonObject(value) &&
    Object.values(value).every(
      (file) => isJsonObject(file) && typeof file.text === 'string' && typeof file.version === 'string',
    )
  )
}

/** The edited files after a change of one; null discards its edit. */
export function withFile(files: EditedFiles, path: string, file: EditedFile | null): EditedFiles {
  const { [path]: _, ...others } = files
  return file === null ? others : { ...others, [path]: file }
}

/**
 * Merges two edits of one user: a file that was edited or discarded here since `former` is taken from `local`.
 */
export function mergedFiles(local: EditedFiles, former: EditedFiles, remote: EditedFiles): EditedFiles {
  const paths = new Set([...Object.keys(local), ...Object.keys(former)])
  const changed = [...paths].filter((path) => !isSameJson(local[path], former[path]))
  return changed.reduce((files, path) => withFile(files, path, local[path] ?? null), remote)
}
