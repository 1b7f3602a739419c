import type { Skill } from '@troupe/contract'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { skillWords as words } from '../../core/messages/en/resources/skills.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import { useResourceUsers } from '../../parts/used-by/use-resource-users.ts'
import { UserLinks } from '../../parts/used-by/used-by.tsx'

/** Asks before a skill is deleted, and says what would lose it. */
export function DeleteSkillDialog({ skill, onClose }: { skill: Skill; onClose(): void }) {
  const { paths } = usePlace()
  const goTo = useGoTo()
  const { skillId, slug } = skill
  const users = useResourceUsers('skill', [skillId])(skillId)
  const remove = useChange('deleteSkill', { refreshes: ['listSkills'] })
  const confirm = async () => {
    if (!(await remove.run({ params: { skillId } }))) return
    showNotice({ title: words.removed(slug) })
    goTo(paths.skills, { replace: true })
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.removeTitle(slug)}
      action={words.removeAction}
      isDanger
      isPending={remove.isPending}
      failed={words.removeFailed}
      failure={remove.failure}
      onConfirm={confirm}
    >
      <p>{users.length > 0 ? words.removeUsed : words.removeDetail}</p>
      {users.length > 0 && <UserLinks users={users} none="" />}
    </ConfirmDialog>
  )
}
