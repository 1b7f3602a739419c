import { type IdText, isJsonObject, type SkillId } from '@troupe/contract'
import { useEffect, useMemo } from 'react'
import { type EditedFiles, isEditedFiles, mergedFiles, withFile } from '../../core/skills/edited-files.ts'
import { useDraft } from '../../infrastructure/drafts/use-draft.ts'
import type { BasedEdit } from '../../parts/unsaved/based-edit.ts'
import { useEditSync } from '../../parts/unsaved/use-edit-sync.ts'

/** The edit of one file of a skill. */
export interface FileDraft {
  /** null: it is not edited. */
  value: string | null
  /** The version of the skill that the edit was made from. */
  base: string | null
  edit(text: string, base: string): void
  discard(): void
  /** After a save of `sent` as a version: later input is an edit of that version. */
  settle(sent: string, version: number): void
}

interface FilesEdit {
  mine: EditedFiles
  /** Each edited file has its own version, so the edit has no base. */
  from: object
}

const isFilesEdit = (value: unknown): value is FilesEdit =>
  isJsonObject(value) && isEditedFiles(value.mine) && isJsonObject(value.from)
const based = (mine: EditedFiles): BasedEdit<FilesEdit> => ({ edit: { mine, from: {} }, base: '' })
const NONE: EditedFiles = {}

/** The edit of a file, with those of the other files of its skill on every device of its user. */
export function useFileDraft(skillId: IdText<SkillId>, path: string): FileDraft {
  const key = `skill/${skillId}`
  const kept = useDraft(key, isEditedFiles)
  const files = () => kept.latest()?.value ?? NONE
  const put = (next: EditedFiles) => (Object.keys(next).length === 0 ? kept.discard() : kept.edit(next, ''))
  useEditSync<FilesEdit>({
    thing: { kind: 'skill', id: skillId },
    ...{ key, isEdit: isFilesEdit, origin: kept.origin, isLoading: kept.isLoading },
    shown: useMemo(() => kept.value && based(kept.value), [kept.value]),
    local: () => {
      const latest = kept.latest()
      return latest && based(latest.value)
    },
    setLocal: (next) => put(next?.edit.mine ?? NONE),
    readSaved: async () => undefined,
    none: based(NONE),
    merge: ({ local, former, remote }) =>
      based(mergedFiles(local.edit.mine, former?.edit.mine ?? NONE, remote.edit.mine)),
  })
  useFormerDraft(`${key}/${path}`, !kept.isLoading, (text, version) => {
    if (files()[path] === undefined) put(withFile(files(), path, { text, version }))
  })
  const edited = kept.value?.[path]
  const edit = (text: string, version: string) => put(withFile(files(), path, { text, version }))
  const discard = () => put(withFile(files(), path, null))
  return {
    ...{ value: edited?.text ?? null, base: edited?.version ?? null, edit, discard },
    settle: (sent, version) => {
      const later = files()[path]?.text
      if (later === undefined || later === sent) discard()
      else edit(later, String(version))
    },
  }
}

/** Takes over the edit of an earlier build, which stored each file separately. */
function useFormerDraft(key: string, isReady: boolean, take: (text: string, version: string) => void): void {
  const former = useDraft(key, (value): value is string => typeof value === 'string')
  useEffect(() => {
    if (!isReady || former.value === null || former.base === null) return
    take(former.value, former.base)
    former.discard()
  })
}
