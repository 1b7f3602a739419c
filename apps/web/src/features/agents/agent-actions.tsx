import type { AgentStatus, IdText, ProjectId } from '@troupe/contract'
import type { AgentDetails } from '@troupe/contract/builder'
import { useRef, useState } from 'react'
import { useFocusAfter } from '../../atoms/focus/focus-next.ts'
import { copyAndSay } from '../../atoms/overlays/copy-and-say.ts'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { agentEditorWords as words } from '../../core/messages/en/agents/agent-editor.ts'
import { moveWords } from '../../core/messages/en/parts/move.ts'
import { asCallFailure } from '../../infrastructure/client/call-failure.ts'
import { downloadText, fileName } from '../../infrastructure/client/download-text.ts'
import { NAMES_USES } from '../../infrastructure/queries/names-uses.ts'
import { useCalls } from '../../infrastructure/queries/use-calls.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { MoveThing } from '../../parts/move-things/move-thing.tsx'

const DuplicateDialog = lazyPart(
  async () => (await import('../../parts/duplicate/duplicate-dialog.tsx')).DuplicateDialog,
)

const ArchiveDialog = lazyPart(async () => (await import('./archive-dialog.tsx')).ArchiveDialog)

const DONE = { active: words.activated, draft: words.reopened, archived: words.archived } as const

/** Actions on an agent as a whole: its status, a copy, a bundle. */
export function AgentActions({ agent, refusal }: { agent: AgentDetails; refusal: string | null }) {
  const { paths } = usePlace()
  const goTo = useGoTo()
  const calls = useCalls()
  const [isArchiving, setArchiving] = useState(false)
  const menu = useRef<HTMLSpanElement>(null)
  const [isDuplicating, setDuplicating] = useState(false)
  const [isMoving, setMoving] = useState(false)
  const status = useChange('setAgentStatus', { refreshes: [...NAMES_USES, 'exportOrganizationBundle'] })
  const copy = useChange('duplicateAgent', { refreshes: ['listAgents', 'getAgent'] })
  const { agentId, name, usedBy } = agent
  const change = async (next: AgentStatus) => {
    if (!(await status.run({ params: { agentId }, body: { status: next } }))) return
    setArchiving(false)
    showNotice({ title: DONE[next] })
  }
  const duplicate = async (body: { name?: string; projectId: IdText<ProjectId> | null }) => {
    const made = await copy.run({ params: { agentId }, body })
    if (!made) return false
    showNotice({ title: words.duplicated(made.answer.name) })
    goTo(paths.agent(made.answer.agentId))
    return true
  }
  const exportBundle = async () => {
    try {
      const yaml = await calls.send('exportOrganizationBundle', { query: { include: `agent:${agentId}` } })
      downloadText(`${fileName(name)}.yaml`, String(yaml), 'application/yaml')
    } catch (error) {
      showNotice({ title: words.exportFailed, detail: asCallFailure(error).message, tone: 'bad' })
    }
  }
  const copyId = async () => {
    await copyAndSay(agentId, words.copied)
  }
  const refusedToBuild = useEntryRefusal('build')
  const refusedToManage = useEntryRefusal('manage')
  return (
    <>
      {!isArchiving && <FailurePanel title={words.statusFailed} failure={status.failure} />}
      {agent.status !== 'active' && (
        <StatusButton
          status={agent.status}
          refusal={refusal}
          isPending={status.isPending}
          placeAfter={() => menu.current?.querySelector('button')}
          onChange={(next) => void change(next)}
        />
      )}
      <span ref={menu}>
        <ActionMenu
          label={words.actions}
          groups={[
            {
              id: 'agent',
              entries: [
                {
                  id: 'duplicate',
                  label: words.duplicate,
                  ...refusedToBuild,
                  onAction: () => setDuplicating(true),
                },
                { id: 'move', label: moveWords.entry, ...refusedToBuild, onAction: () => setMoving(true) },
                {
                  id: 'export',
                  label: words.exportBundle,
                  ...refusedToManage,
                  onAction: () => void exportBundle(),
                },
                { id: 'copy', label: words.copyId, onAction: () => void copyId() },
              ],
            },
            {
              id: 'status',
              entries: [
                ...(agent.status === 'active'
                  ? [
                      {
                        id: 'draft',
                        label: words.backToDraft,
                        ...refusedToBuild,
                        onAction: () => void change('draft'),
                      },
                    ]
                  : []),
                ...(agent.status === 'archived'
                  ? []
                  : [
                      {
                        id: 'archive',
                        label: words.archive,
                        isDanger: true,
                        ...refusedToBuild,
                        onAction: () => setArchiving(true),
                      },
                    ]),
              ],
            },
          ].filter(({ entries }) => entries.length > 0)}
        />
      </span>
      {isDuplicating && (
        <LazyDialog>
          <DuplicateDialog
            original={{ id: agentId, name, projectId: agent.projectId }}
            failed={words.duplicateFailed}
            failure={copy.failure}
            isPending={copy.isPending}
            onDuplicate={duplicate}
            onClose={() => {
              setDuplicating(false)
              copy.reset()
            }}
          />
        </LazyDialog>
      )}
      {isMoving && (
        <MoveThing
          kind="agent"
          id={agentId}
          name={name}
          projectId={agent.projectId}
          onClose={() => setMoving(false)}
        />
      )}
      {isArchiving && (
        <LazyDialog>
          <ArchiveDialog
            name={name}
            usedBy={usedBy}
            isOpen={isArchiving}
            onClose={() => {
              setArchiving(false)
              status.reset()
            }}
            isPending={status.isPending}
            failure={status.failure}
            onArchive={() => void change('archived')}
          />
        </LazyDialog>
      )}
    </>
  )
}

interface StatusButtonProps {
  status: 'draft' | 'archived'
  refusal: string | null
  isPending: boolean
  /** The next focus when the agent's button disappears. */
  placeAfter(): Element | null | undefined
  onChange(next: AgentStatus): void
}

function StatusButton({ status, refusal, isPending, placeAfter, onChange }: StatusButtonProps) {
  const part = useRef<HTMLSpanElement>(null)
  useFocusAfter(part, placeAfter)
  const isDraft = status === 'draft'
  return (
    <span ref={part}>
      <RefusableButton
        refusal={refusal}
        isPending={isPending}
        onPress={() => onChange(isDraft ? 'active' : 'draft')}
      >
        {isDraft ? words.activate : words.reopen}
      </RefusableButton>
    </span>
  )
}
