import type { IdText, ProjectId, SkillId } from '@troupe/contract'
import { useState } from 'react'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { skillWords as words } from '../../core/messages/en/resources/skills.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import { useFileUpload } from '../../infrastructure/queries/use-file-upload.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** Operations that show skills, refetched after an upload. */
export const SKILL_REFRESHES = ['listSkills', 'getSkill', 'listSkillVersions', 'getSkillFile'] as const

interface Stored {
  skillId: IdText<SkillId>
  slug: string
  version: number
}

/** The skill whose next version is uploaded, and the version known to the user. */
export type KnownSkill = Pick<Stored, 'skillId' | 'version'>

/** Whether a selected file is a plain SKILL.md, not an archive. */
export const isSkillText = ({ name }: File) => /\.md$/i.test(name)

/**
 * Uploads a skill as an archive or a single SKILL.md, and opens it. `known`: only as the next version of this one; without it only as a new
 * skill, and an existing name fails with `slug_taken` and that skill in `current`.
 */
export function useSkillUpload(
  projectId: IdText<ProjectId> | null,
  known: KnownSkill | null = null,
  /** The enclosing dialog has an entry of the history, which Back skips. */
  isInDialog = false,
) {
  const { paths } = usePlace()
  const goTo = useGoTo()
  const sendArchive = useFileUpload('uploadSkill', SKILL_REFRESHES)
  const write = useChange('uploadSkill', { refreshes: SKILL_REFRESHES })
  const [state, setState] = useState<{ isPending: boolean; failure: CallFailure | null }>(IDLE)
  const opened = ({ skillId, slug, version }: Stored, isNew: boolean) => {
    showNotice({ title: isNew ? words.added(slug, version) : words.known(slug) })
    goTo(paths.skill(skillId), { replace: isInDialog })
  }
  /** Resolves with whether it was stored. */
  const texts = async (files: Readonly<Record<string, string>>, version = known?.version) => {
    setState(IDLE)
    const done = await write.run({ body: { files: { ...files }, projectId, ...baseOf(known, version) } })
    if (done) opened(done.answer, done.status !== 200)
    return done !== null
  }
  const archive = async (file: File, version: number | undefined) => {
    write.reset()
    setState({ isPending: true, failure: null })
    const base = Object.entries(baseOf(known, version)).map(([name, value]) => [name, String(value)])
    const query = { ...(projectId ? { projectId } : {}), ...Object.fromEntries(base) }
    const sent = await sendArchive({ query }, file)
    setState({ isPending: false, failure: sent.ok ? null : sent.failure })
    if (sent.ok) opened(sent.answer, sent.isNew)
    return sent.ok
  }
  return {
    isPending: write.isPending || state.isPending,
    failure: write.failure ?? state.failure,
    texts,
    reset: () => {
      write.reset()
      setState(IDLE)
    },
    /** Resolves with whether it was stored. `version`: its base, if it is not the known one. */
    file: async (file: File, version = known?.version) => {
      if (isSkillText(file)) return texts({ 'SKILL.md': await file.text() }, version)
      return archive(file, version)
    },
  }
}

function baseOf(known: KnownSkill | null, baseVersion: number | undefined) {
  if (known === null) return { mustBeNew: true }
  if (baseVersion === undefined) return {}
  return { skillId: known.skillId, baseVersion }
}

const IDLE = { isPending: false, failure: null }
