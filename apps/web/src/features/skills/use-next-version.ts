import type { Skill } from '@troupe/contract'
import { useState } from 'react'
import { skillWords } from '../../core/messages/en/resources/skills.ts'
import { nextFiles } from '../../core/skills/next-files.ts'
import { asCallFailure, CallFailure } from '../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../infrastructure/client/call-operation.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useOrganizationId } from '../../infrastructure/sign-in/organization-id.ts'
import { SKILL_REFRESHES } from './use-skill-upload.ts'

/** The base version. */
interface BaseVersion {
  version: number
  files: Skill['files']
}

/** Stores the next version of a skill: the texts of a version, with some changes. */
export function useNextVersion({ skillId, projectId }: Pick<Skill, 'skillId' | 'projectId'>) {
  const organizationId = useOrganizationId()
  const upload = useChange('uploadSkill', { refreshes: SKILL_REFRESHES })
  const [reading, setReading] = useState<{ isPending: boolean; failure: CallFailure | null }>(IDLE)
  const read = async ({ version, files }: BaseVersion, changed: Readonly<Record<string, string>>) => {
    if (files.some(({ isText }) => !isText)) {
      throw new CallFailure('validation_error', skillWords.files.notText)
    }
    return nextFiles(files, changed, async (path) => {
      const query = { path, version }
      const answer = await callOperation('getSkillFile', organizationId, { params: { skillId }, query })
      return answer.text ?? ''
    })
  }
  return {
    isPending: reading.isPending || upload.isPending,
    failure: reading.failure ?? upload.failure,
    reset: () => {
      setReading(IDLE)
      upload.reset()
    },
    /**
     * The stored skill; null after a failure: `version_conflict` when `baseVersion` is outdated, or `validation_error`
     * when the frontmatter has a different name.
     */
    save: async (
      base: BaseVersion,
      changed: Readonly<Record<string, string>>,
      baseVersion: number,
    ): Promise<Skill | null> => {
      setReading({ isPending: true, failure: null })
      try {
        const files = await read(base, changed)
        setReading(IDLE)
        return (await upload.run({ body: { files, projectId, skillId, baseVersion } }))?.answer ?? null
      } catch (error) {
        setReading({ isPending: false, failure: asCallFailure(error) })
        return null
      }
    },
  }
}

const IDLE = { isPending: false, failure: null }
