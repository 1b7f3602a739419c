import type { Skill } from '@troupe/contract'
import { skillWords as words } from '../../core/messages/en/resources/skills.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'
import { useResourceUsers } from '../../parts/used-by/use-resource-users.ts'
import { UserLinks } from '../../parts/used-by/used-by.tsx'

/** Asks before a skill is deleted, and says what would lose it. */
export function DeleteSkillDialog({ skill, onClose }: { skill: Skill; onClose(): void }) {
  const { paths } = usePlace()
  const goTo = useGoTo()
  const { skillId, slug } = skill
  const users = useResourceUsers('skill', [skillId])(skillId)
  return (
    <ConfirmChange
      operation="deleteSkill"
      input={{ params: { skillId } }}
      refreshes={['listSkills']}
      title={words.removeTitle(slug)}
      action={words.removeAction}
      failed={words.removeFailed}
      done={words.removed(slug)}
      onClose={onClose}
      onDone={() => goTo(paths.skills, { replace: true })}
    >
      {users && <p>{users.length > 0 ? words.removeUsed : words.removeDetail}</p>}
      {users && users.length > 0 && <UserLinks users={users} none="" />}
    </ConfirmChange>
  )
}
