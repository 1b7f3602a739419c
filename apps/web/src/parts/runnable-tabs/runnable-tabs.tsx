import type { AnyVersionId, IdText } from '@troupe/contract'
import { type ReactNode, Suspense } from 'react'
import { TabBar } from '../../atoms/layout/tab-bar.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { Skeleton } from '../../atoms/states/panels.tsx'
import type { SettingWords } from '../../core/forms/setting-words.ts'
import type { LabelOf } from '../../core/labels/change-label.ts'
import { choiceParam } from '../../core/url/search-params.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { useRenameKey } from '../config-form/use-rename-key.ts'
import {
  type KeptConversations,
  useKeptConversations,
} from '../playground/conversations/kept-conversations.ts'
import { SaveBar } from '../unsaved/save-bar.tsx'
import type { ConfigDraft } from '../unsaved/use-config-draft.ts'

// Each tab loads its own code.
const Playground = lazyPart(async () => (await import('../playground/playground.tsx')).Playground)
const VersionsPanel = lazyPart(async () => (await import('../versions/versions-panel.tsx')).VersionsPanel)
const ApiSnippetsPanel = lazyPart(
  async () => (await import('../api-snippets/api-snippets-panel.tsx')).ApiSnippetsPanel,
)
const ColleagueEdits = lazyPart(async () => (await import('../unsaved/colleague-edits.tsx')).ColleagueEdits)

const TABS = ['editor', 'playground', 'versions', 'use'] as const
type Tab = (typeof TABS)[number]
const PARAMS = { tab: choiceParam(TABS, 'editor') }

export interface RunnableTabsProps {
  kind: 'agent' | 'team'
  id: string
  saved: { name: string; versionId: IdText<AnyVersionId> }
  /** Whether callers can run it. */
  isLive: boolean
  draft: ConfigDraft
  /** The reason why the user may not change it; null: allowed. */
  refusal: string | null
  words: { tabsLabel: string; tabs: Record<Tab, string> }
  labelOf: LabelOf
  wordsOf(path: string): SettingWords | undefined
  /** Shows a setting of the editor, by its path in the content. */
  onShow(path: string): void
  /** The editor, which stays mounted; `conversations` is null while another tab is open. */
  editor(conversations: KeptConversations | null): ReactNode
}

/** The editor of an agent or a team, its playground, its versions and code that calls it; and the unsaved changes. */
export function RunnableTabs(props: RunnableTabsProps) {
  const { kind, id, draft, refusal, words, labelOf, wordsOf, onShow } = props
  const [{ tab }, setParams] = useSearchParams(PARAMS)
  const conversations = useKeptConversations()
  const show = (path: string) => {
    setParams({ tab: 'editor' })
    onShow(path)
  }
  useRenameKey(refusal, () => show('name'))
  const content = (of: Tab) => (
    <Suspense fallback={<Skeleton lines={10} />}>
      {of === 'editor' ? (
        props.editor(tab === 'editor' ? conversations : null)
      ) : (
        <OtherTab {...props} tab={of} conversations={conversations} />
      )}
    </Suspense>
  )
  return (
    <>
      <Suspense>
        {draft.others.length > 0 && (
          <ColleagueEdits kind={kind} id={id} draft={draft} labelOf={labelOf} wordsOf={wordsOf} />
        )}
      </Suspense>
      <TabBar
        label={words.tabsLabel}
        tabs={TABS.map((each) => ({ id: each, label: words.tabs[each] }))}
        value={tab}
        onChange={(next) => setParams({ tab: next }, { push: true })}
        kept={{ id: 'editor', content: content('editor') }}
      >
        {content(tab)}
      </TabBar>
      <SaveBar draft={draft} refusal={refusal} labelOf={labelOf} wordsOf={wordsOf} onShow={show} />
    </>
  )
}

interface OtherTabProps extends RunnableTabsProps {
  tab: Exclude<Tab, 'editor'>
  conversations: KeptConversations
}

function OtherTab({ kind, id, saved, isLive, draft, tab, conversations }: OtherTabProps) {
  switch (tab) {
    case 'playground':
      return (
        <Playground
          conversations={conversations}
          kind={kind}
          id={id}
          edit={draft}
          onDraftless={draft.discard}
        />
      )
    case 'versions':
      return <VersionsPanel kind={kind} id={id} currentVersionId={saved.versionId} isLive={isLive} />
    case 'use':
      return <ApiSnippetsPanel kind={kind} id={id} name={saved.name} />
    default:
      return tab satisfies never
  }
}
