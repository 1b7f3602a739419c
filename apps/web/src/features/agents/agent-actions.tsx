import type { AgentDetails } from '@troupe/builder-contract'
import type { AgentStatus } from '@troupe/contract'
import { Suspense, useState } from 'react'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { copyAndSay } from '../../atoms/overlays/copy-and-say.ts'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { agentEditorWords as words } from '../../core/messages/en/agents/agent-editor.ts'
import { asCallFailure } from '../../infrastructure/client/call-failure.ts'
import { downloadText, fileName } from '../../infrastructure/client/download-text.ts'
import { NAMES_USES } from '../../infrastructure/queries/names-uses.ts'
import { useCalls } from '../../infrastructure/queries/use-calls.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

const DuplicateDialog = lazyPart(
  async () => (await import('../../parts/duplicate/duplicate-dialog.tsx')).DuplicateDialog,
)

const DONE = { active: words.activated, draft: words.reopened, archived: words.archived } as const

/** What can be done with an agent as a whole: its status, a copy, a bundle. */
export function AgentActions({ agent, refusal }: { agent: AgentDetails; refusal: string | null }) {
  const { paths } = usePlace()
  const goTo = useGoTo()
  const calls = useCalls()
  const [isArchiving, setArchiving] = useState(false)
  const [isDuplicating, setDuplicating] = useState(false)
  const status = useChange('setAgentStatus', { refreshes: NAMES_USES })
  const copy = useChange('duplicateAgent', { refreshes: ['listAgents', 'getAgent'] })
  const { agentId, name, usedBy } = agent
  const change = async (next: AgentStatus) => {
    if (!(await status.run({ params: { agentId }, body: { status: next } }))) return
    setArchiving(false)
    showNotice({ title: DONE[next] })
  }
  const duplicate = async (body: { name?: string; projectId: string | null }) => {
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
        <RefusableButton
          refusal={refusal}
          isPending={status.isPending}
          onPress={() => void change(agent.status === 'draft' ? 'active' : 'draft')}
        >
          {agent.status === 'draft' ? words.activate : words.reopen}
        </RefusableButton>
      )}
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
      {isDuplicating && (
        <Suspense>
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
        </Suspense>
      )}
      <ConfirmDialog
        isOpen={isArchiving}
        onClose={() => {
          setArchiving(false)
          status.reset()
        }}
        title={words.archiveTitle(name)}
        action={words.archiveAction}
        isDanger
        isPending={status.isPending}
        failed={words.statusFailed}
        failure={status.failure}
        onConfirm={() => void change('archived')}
      >
        {usedBy.length > 0 ? words.archiveUsed(usedBy.map((one) => one.name)) : words.archiveText}
      </ConfirmDialog>
    </>
  )
}
