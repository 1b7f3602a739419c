import type { Skill } from '@troupe/contract'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { skillWords as words } from '../../core/messages/en/resources/skills.ts'
import { asCallFailure, CallFailure } from '../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../infrastructure/client/call-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { useOrganizationId } from '../../infrastructure/sign-in/organization-id.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { useNextVersion } from './use-next-version.ts'

/** Uploads a SKILL.md as the next version of a skill, keeping its other files. */
export function useUploadWithOthers(skill: Skill) {
  const { skillId } = skill
  const { paths } = usePlace()
  const goTo = useGoTo()
  const organizationId = useOrganizationId()
  const { save, ...next } = useNextVersion(skill)
  return {
    ...next,
    /** `version`: its base, if it is not the shown one. */
    file: async (file: File, version = skill.version) => {
      // Another user's concurrent changes of the other files are also kept.
      const base =
        version === skill.version
          ? skill
          : await callOperation('getSkill', organizationId, { params: { skillId } }).catch(asCallFailure)
      if (base instanceof CallFailure) {
        showNotice({ title: words.uploadFailed, detail: base.message, tone: 'bad' })
        return
      }
      const stored = await save(base, { 'SKILL.md': await file.text() }, version)
      if (stored === null) return
      showNotice({ title: words.added(stored.slug, stored.version) })
      goTo(paths.skill(skillId))
    },
  }
}
