import type { Skill } from '@troupe/contract'
import { skillWords as words } from '../../core/messages/en/resources/skills.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'
import { StillUsedDialog } from '../../parts/used-by/still-used-dialog.tsx'
import { useResourceUsers } from '../../parts/used-by/use-resource-users.ts'
import { UserLinks } from '../../parts/used-by/used-by.tsx'

/** Asks before a skill is deleted; one that an agent uses is not, and the dialog leads to what uses it. */
export function DeleteSkillDialog({ skill, onClose }: { skill: Skill; onClose(): void }) {
  const { paths } = usePlace()
  const goTo = useGoTo()
  const { skillId, slug } = skill
  const users = useResourceUsers('skill', [skillId])(skillId)
  if (users?.some(({ kind }) => kind === 'agent')) {
    return (
      <StillUsedDialog
        title={words.removeRefused(slug)}
        detail={words.removeUsed}
        users={users}
        onClose={onClose}
      />
    )
  }
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
      <p>{words.removeDetail}</p>
      {users && users.length > 0 && <p>{words.removeNamed}</p>}
      {users && users.length > 0 && <UserLinks users={users} none="" />}
    </ConfirmChange>
  )
}
