import type { IdText, ProjectId } from '@troupe/contract'
import type { TeamDetails } from '@troupe/contract/builder'
import { Copy, Download, FolderInput, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { moveWords } from '../../core/messages/en/parts/move.ts'
import { teamPageWords as words } from '../../core/messages/en/teams/page.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ExportThing } from '../../parts/export-bundle/export-thing.tsx'
import { MoveThing } from '../../parts/move-things/move-thing.tsx'

const DuplicateDialog = lazyPart(
  async () => (await import('../../parts/duplicate/duplicate-dialog.tsx')).DuplicateDialog,
)

const StillUsedDialog = lazyPart(
  async () => (await import('../../parts/used-by/still-used-dialog.tsx')).StillUsedDialog,
)

export interface TeamActionsProps {
  team: TeamDetails
  /** The team is deleted: its unsaved input is no longer needed. */
  onGone(): void
}

/** Actions on a whole team: copy, export, delete. */
export function TeamActions({ team, onGone }: TeamActionsProps) {
  const { paths, may } = usePlace()
  const goTo = useGoTo()
  const [opened, setOpened] = useState<'delete' | 'duplicate' | 'export' | 'move' | null>(null)
  const { teamId, name, slug } = team
  const refusedToBuild = useEntryRefusal('build')
  const refusedToManage = useEntryRefusal('manage')
  const copy = useChange('duplicateTeam', { refreshes: ['listTeams', 'getAgent', 'listAgents'] })
  const duplicate = async (body: { name?: string; projectId: IdText<ProjectId> | null }) => {
    const made = await copy.run({ params: { teamId }, body })
    if (!made) return false
    showNotice({ title: words.duplicate.done(made.answer.name) })
    goTo(paths.team(made.answer.teamId))
    return true
  }
  const close = () => setOpened(null)
  return (
    <>
      <ActionMenu
        label={words.actions}
        entries={[
          {
            id: 'duplicate',
            label: words.duplicate.action,
            icon: <Copy size={16} />,
            onAction: () => setOpened('duplicate'),
            ...refusedToBuild,
          },
          {
            id: 'move',
            label: moveWords.entry,
            icon: <FolderInput size={16} />,
            onAction: () => setOpened('move'),
            ...refusedToBuild,
          },
          {
            id: 'export',
            label: words.export.action,
            icon: <Download size={16} />,
            onAction: () => setOpened('export'),
            ...refusedToManage,
          },
          {
            id: 'delete',
            label: words.delete.action,
            icon: <Trash2 size={16} />,
            isDanger: true,
            onAction: () => setOpened('delete'),
            ...refusedToBuild,
          },
        ]}
      />
      {opened === 'duplicate' && (
        <LazyDialog>
          <DuplicateDialog
            original={{ id: teamId, name, projectId: team.projectId }}
            failed={words.duplicate.failed}
            failure={copy.failure}
            isPending={copy.isPending}
            onDuplicate={duplicate}
            onClose={() => {
              close()
              copy.reset()
            }}
          />
        </LazyDialog>
      )}
      {opened === 'export' && (
        <ExportThing include={[`team:${teamId}`]} name={slug ?? name} onClose={close} />
      )}
      {opened === 'move' && (
        <MoveThing kind="team" id={teamId} name={name} projectId={team.projectId} onClose={close} />
      )}
      {opened === 'delete' && may('build') && (
        <DeleteTeamDialog
          team={team}
          onClose={close}
          onDeleted={() => {
            onGone()
            showNotice({ title: words.delete.done(name) })
            goTo(paths.teams, { replace: true })
          }}
        />
      )}
    </>
  )
}

interface DeleteTeamDialogProps {
  team: TeamDetails
  onClose(): void
  onDeleted(): void
}

/** A team that a published workflow calls is not deleted. */
function DeleteTeamDialog({ team: { teamId, name, usedBy }, onClose, onDeleted }: DeleteTeamDialogProps) {
  const remove = useChange('deleteTeam', { refreshes: ['listTeams', 'getAgent', 'listAgents'] })
  if (usedBy.length > 0) {
    return (
      <LazyDialog>
        <StillUsedDialog
          title={words.delete.refused(name)}
          detail={words.delete.used}
          users={usedBy}
          onClose={onClose}
        />
      </LazyDialog>
    )
  }
  const confirm = async () => {
    if (await remove.run({ params: { teamId } })) onDeleted()
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.delete.title(name)}
      action={words.delete.confirm}
      isDanger
      isPending={remove.isPending}
      failed={words.delete.failed}
      failure={remove.failure}
      onConfirm={() => void confirm()}
    >
      <p>{words.delete.text}</p>
    </ConfirmDialog>
  )
}
