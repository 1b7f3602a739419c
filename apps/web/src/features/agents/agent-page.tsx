import type { AgentDetails } from '@troupe/contract/builder'
import { Suspense } from 'react'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { loadCode } from '../../atoms/parts/load-code.ts'
import { AskedNotes, AskedPanel, type AskedState } from '../../atoms/states/asked-panel.tsx'
import { Badge, DraftMark, LiveMark } from '../../atoms/states/badge.tsx'
import { Avatar, Skeleton } from '../../atoms/states/panels.tsx'
import { isCallable } from '../../core/agents/is-callable.ts'
import { AGENT_SPECS } from '../../core/forms/setting-specs.ts'
import { pathPattern } from '../../core/forms/setting-words.ts'
import { agentSettingLabel, agentWordsOf } from '../../core/labels/setting-labels.ts'
import { agentEditorWords as words } from '../../core/messages/en/agents/agent-editor.ts'
import { agentNameWords } from '../../core/messages/en/agents/agent-names.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { usePathParam } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { configForm } from '../../parts/config-form/config-form.ts'
import { RunnableTabs } from '../../parts/runnable-tabs/runnable-tabs.tsx'
import { useConfigDraft } from '../../parts/unsaved/use-config-draft.ts'
import { useShowSetting } from './editor/use-show-setting.ts'
import { UsersOfAgent } from './users-of-agent.tsx'

// Both begin with the page.
const actionsCode = loadCode(() => import('./agent-actions.tsx'))
const AgentActions = lazyPart(async () => (await actionsCode).AgentActions)
const editorCode = loadCode(() => import('./editor/agent-editor.tsx'))
const AgentEditor = lazyPart(async () => (await editorCode).AgentEditor)
const GoneThing = lazyPart(async () => (await import('../../parts/gone/gone-thing.tsx')).GoneThing)
const KeptOfGone = lazyPart(async () => (await import('../../parts/unsaved/kept-of-gone.tsx')).KeptOfGone)

const TONES = { active: 'good', draft: 'warn', archived: 'neutral' } as const

/** One agent: its editor, its playground, its versions and how code calls it. */
export function AgentPage() {
  const { paths } = usePlace()
  const agentId = usePathParam('agentId')
  const agent = useOperation('getAgent', { params: { agentId } })
  const isGone = agent.failure?.code === 'agent_not_found'
  if (agent.data && !isGone) return <LoadedAgent key={agentId} agent={agent.data} asked={agent} />
  return (
    <PageLayout
      title={isGone ? words.gone : agentNameWords.one}
      isBare={isGone}
      crumbs={[{ label: agentNameWords.title, href: paths.agents }]}
    >
      {isGone ? (
        <>
          <Suspense fallback={<Skeleton lines={10} />}>
            <GoneThing
              kind="agent"
              id={agentId}
              title={words.gone}
              detail={words.goneText}
              href={paths.agents}
              label={words.toAgents}
            />
          </Suspense>
          <Suspense>
            <KeptOfGone kind="agent" id={agentId} labelOf={agentSettingLabel} />
          </Suspense>
        </>
      ) : (
        <AskedPanel asked={agent} failed={words.failed} lines={10}>
          {() => null}
        </AskedPanel>
      )}
    </PageLayout>
  )
}

function LoadedAgent({ agent, asked }: { agent: AgentDetails; asked: AskedState<AgentDetails> }) {
  const { paths } = usePlace()
  const refusal = useRefusal('build')
  const draft = useConfigDraft({ kind: 'agent', id: agent.agentId, saved: agent })
  const showSetting = useShowSetting()
  const form = configForm(draft, {
    isReadOnly: refusal !== null,
    specOf: (path) => AGENT_SPECS[pathPattern(path)],
    wordsOf: agentWordsOf,
  })
  return (
    <PageLayout
      title={draft.draft.name.trim() || agent.name}
      lead={<Avatar id={agent.agentId} name={agent.name} shape="square" />}
      crumbs={[{ label: agentNameWords.title, href: paths.agents }]}
      mark={
        <>
          <Badge tone={TONES[agent.status]}>{agentNameWords.statuses[agent.status]}</Badge>
          {isCallable(agent.status) ? (
            <LiveMark version={agent.versionNumber} />
          ) : (
            <Badge>{words.version(agent.versionNumber)}</Badge>
          )}
          {draft.isUnsaved && <DraftMark>{words.unsaved}</DraftMark>}
        </>
      }
      detail={<UsersOfAgent usedBy={agent.usedBy} status={agent.status} />}
      actions={
        <Suspense>
          <AgentActions agent={agent} refusal={refusal} />
        </Suspense>
      }
    >
      <AskedNotes asked={asked} failed={words.failed} />
      <RunnableTabs
        kind="agent"
        id={agent.agentId}
        saved={agent}
        isLive={isCallable(agent.status)}
        draft={draft}
        refusal={refusal}
        words={words}
        labelOf={(path, item) => agentSettingLabel(path, draft.draft.config, item)}
        wordsOf={agentWordsOf}
        onShow={showSetting}
        editor={(conversations) => (
          <AgentEditor
            agent={agent}
            draft={draft}
            form={form}
            refusal={refusal}
            conversations={conversations}
          />
        )}
      />
    </PageLayout>
  )
}
