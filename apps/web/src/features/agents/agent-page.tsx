import type { AgentDetails } from '@troupe/contract/builder'
import { Suspense } from 'react'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { TabBar } from '../../atoms/layout/tab-bar.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { loadCode } from '../../atoms/parts/load-code.ts'
import { AskedNotes, AskedPanel, type AskedState } from '../../atoms/states/asked-panel.tsx'
import { Badge, DraftMark, LiveMark } from '../../atoms/states/badge.tsx'
import { Skeleton } from '../../atoms/states/panels.tsx'
import { isCallable } from '../../core/agents/is-callable.ts'
import { AGENT_SPECS } from '../../core/forms/setting-specs.ts'
import { pathPattern } from '../../core/forms/setting-words.ts'
import { agentSettingLabel, agentWordsOf } from '../../core/labels/setting-labels.ts'
import { agentEditorWords as words } from '../../core/messages/en/agents/agent-editor.ts'
import { agentWords } from '../../core/messages/en/lists.ts'
import { choiceParam } from '../../core/url/search-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { usePathParam, useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { configForm } from '../../parts/config-form/config-form.ts'
import { useRenameKey } from '../../parts/config-form/use-rename-key.ts'
import {
  type KeptConversations,
  useKeptConversations,
} from '../../parts/playground/conversations/kept-conversations.ts'
import { SaveBar } from '../../parts/unsaved/save-bar.tsx'
import { type ConfigDraft, useConfigDraft } from '../../parts/unsaved/use-config-draft.ts'
import { AgentActions } from './agent-actions.tsx'
import { useShowSetting } from './editor/use-show-setting.ts'
import { UsersOfAgent } from './users-of-agent.tsx'

// Each tab loads its own code; the editor, which comes first, begins with the page.
const editorCode = loadCode(() => import('./editor/agent-editor.tsx'))
const AgentEditor = lazyPart(async () => (await editorCode).AgentEditor)
const Playground = lazyPart(async () => (await import('../../parts/playground/playground.tsx')).Playground)
const VersionsPanel = lazyPart(
  async () => (await import('../../parts/versions/versions-panel.tsx')).VersionsPanel,
)
const ApiSnippetsPanel = lazyPart(
  async () => (await import('../../parts/api-snippets/api-snippets-panel.tsx')).ApiSnippetsPanel,
)

const GoneThing = lazyPart(async () => (await import('../../parts/gone/gone-thing.tsx')).GoneThing)
const ColleagueEdits = lazyPart(
  async () => (await import('../../parts/unsaved/colleague-edits.tsx')).ColleagueEdits,
)
const KeptOfGone = lazyPart(async () => (await import('../../parts/unsaved/kept-of-gone.tsx')).KeptOfGone)

const TABS = ['editor', 'playground', 'versions', 'use'] as const
const PARAMS = { tab: choiceParam(TABS, 'editor') }
const TONES = { active: 'good', draft: 'warn', archived: 'neutral' } as const

/** One agent: its editor, its playground, its versions and how code calls it. */
export function AgentPage() {
  const { paths } = usePlace()
  const agentId = usePathParam('agentId')
  const agent = useOperation('getAgent', { params: { agentId } })
  const isGone = agent.failure?.code === 'agent_not_found'
  if (agent.data && !isGone) return <LoadedAgent key={agentId} agent={agent.data} asked={agent} />
  return (
    <PageLayout title={agentWords.title} crumbs={[{ label: agentWords.title, href: paths.agents }]}>
      {isGone ? (
        <Suspense>
          <GoneThing
            kind="agent"
            id={agentId}
            title={words.gone}
            detail={words.goneText}
            href={paths.agents}
            label={words.toAgents}
          />
          <KeptOfGone kind="agent" id={agentId} labelOf={agentSettingLabel} />
        </Suspense>
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
  const [{ tab }, setParams] = useSearchParams(PARAMS)
  const refusal = useRefusal('build')
  const draft = useConfigDraft({ kind: 'agent', id: agent.agentId, saved: agent })
  const conversations = useKeptConversations()
  const showSetting = useShowSetting()
  const show = (path: string) => {
    setParams({ tab: 'editor' })
    showSetting(path)
  }
  useRenameKey(refusal, () => show('name'))
  const content = (id: typeof tab) => (
    <Suspense fallback={<Skeleton lines={10} />}>
      <TabContent
        agent={agent}
        draft={draft}
        conversations={conversations}
        refusal={refusal}
        tab={id}
        isInView={id === tab}
      />
    </Suspense>
  )
  return (
    <PageLayout
      title={draft.draft.name.trim() || agent.name}
      crumbs={[{ label: agentWords.title, href: paths.agents }]}
      mark={
        <>
          <Badge tone={TONES[agent.status]}>{agentWords.statuses[agent.status]}</Badge>
          {isCallable(agent.status) ? (
            <LiveMark version={agent.versionNumber} />
          ) : (
            <Badge>{words.version(agent.versionNumber)}</Badge>
          )}
          {draft.isUnsaved && <DraftMark>{words.unsaved}</DraftMark>}
        </>
      }
      detail={<UsersOfAgent usedBy={agent.usedBy} status={agent.status} />}
      actions={<AgentActions agent={agent} refusal={refusal} />}
    >
      <AskedNotes asked={asked} failed={words.failed} />
      <Suspense>
        {draft.others.length > 0 && (
          <ColleagueEdits
            kind="agent"
            id={agent.agentId}
            draft={draft}
            labelOf={(path, item) => agentSettingLabel(path, draft.draft.config, item)}
            wordsOf={agentWordsOf}
          />
        )}
      </Suspense>
      <TabBar
        label={words.tabsLabel}
        tabs={TABS.map((id) => ({ id, label: words.tabs[id] }))}
        value={tab}
        onChange={(next) => setParams({ tab: next }, { push: true })}
        kept={{ id: 'editor', content: content('editor') }}
      >
        {content(tab)}
      </TabBar>
      <SaveBar
        draft={draft}
        refusal={refusal}
        labelOf={(path, item) => agentSettingLabel(path, draft.draft.config, item)}
        wordsOf={agentWordsOf}
        onShow={show}
      />
    </PageLayout>
  )
}

interface TabContentProps {
  agent: AgentDetails
  draft: ConfigDraft
  conversations: KeptConversations
  refusal: string | null
  tab: (typeof TABS)[number]
  /** The editor stays mounted while another tab is open. */
  isInView: boolean
}

function TabContent({ agent, draft, conversations, refusal, tab, isInView }: TabContentProps) {
  const { agentId, name, versionId } = agent
  const form = configForm(draft, {
    isReadOnly: refusal !== null,
    specOf: (path) => AGENT_SPECS[pathPattern(path)],
    wordsOf: agentWordsOf,
  })
  switch (tab) {
    case 'editor':
      return (
        <AgentEditor
          agent={agent}
          draft={draft}
          form={form}
          refusal={refusal}
          conversations={isInView ? conversations : null}
        />
      )
    case 'playground':
      return (
        <Playground
          conversations={conversations}
          kind="agent"
          id={agentId}
          edit={draft}
          onDraftless={draft.discard}
        />
      )
    case 'versions':
      return (
        <VersionsPanel
          kind="agent"
          id={agentId}
          currentVersionId={versionId}
          isLive={isCallable(agent.status)}
        />
      )
    case 'use':
      return <ApiSnippetsPanel kind="agent" id={agentId} name={name} />
    default:
      return tab satisfies never
  }
}
