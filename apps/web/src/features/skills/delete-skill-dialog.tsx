import type { Skill } from '@troupe/contract'
import { skillWords as words } from '../../core/messages/en/resources/skills.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { DeleteUnlessUsed } from '../../parts/used-by/delete-unless-used.tsx'
import { useResourceUsers } from '../../parts/used-by/use-resource-users.ts'

/** Confirms the deletion of a skill. Agents depend on it; other uses only refer to it. */
export function DeleteSkillDialog({ skill, onClose }: { skill: Skill; onClose(): void }) {
  const { paths } = usePlace()
  const goTo = useGoTo()
  const { skillId, slug } = skill
  return (
    <DeleteUnlessUsed
      operation="deleteSkill"
      input={{ params: { skillId } }}
      refreshes={['listSkills']}
      name={slug}
      words={words}
      users={useResourceUsers('skill', [skillId])(skillId)}
      needsIt={({ kind }) => kind === 'agent'}
      onClose={onClose}
      onRemoved={() => goTo(paths.skills, { replace: true })}
    >
      <p>{words.removeDetail}</p>
    </DeleteUnlessUsed>
  )
}
