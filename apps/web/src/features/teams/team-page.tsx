import type { TeamConfig } from '@troupe/contract'
import type { TeamDetails } from '@troupe/contract/builder'
import { type RefObject, Suspense, useMemo, useRef } from 'react'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { TabBar } from '../../atoms/layout/tab-bar.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { loadCode } from '../../atoms/parts/load-code.ts'
import { AskedNotes, AskedPanel, type AskedState } from '../../atoms/states/asked-panel.tsx'
import { Badge, DraftMark, LiveMark } from '../../atoms/states/badge.tsx'
import { Skeleton } from '../../atoms/states/panels.tsx'
import { teamSettingLabel, teamSettingWords } from '../../core/labels/team-setting-labels.ts'
import { teamWords } from '../../core/messages/en/lists.ts'
import { teamPageWords as words } from '../../core/messages/en/teams/page.ts'
import { isTeamConfig } from '../../core/teams/team-config.ts'
import { choiceParam } from '../../core/url/search-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { usePathParam, useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { showSetting } from '../../parts/config-form/show-setting.ts'
import { useRenameKey } from '../../parts/config-form/use-rename-key.ts'
import {
  type KeptConversations,
  useKeptConversations,
} from '../../parts/playground/conversations/kept-conversations.ts'
import { savedContent } from '../../parts/unsaved/config-resource.ts'
import { SaveBar } from '../../parts/unsaved/save-bar.tsx'
import { type ConfigDraft, useConfigDraft } from '../../parts/unsaved/use-config-draft.ts'
import { TeamActions } from './team-actions.tsx'
import { NOTHING_WITHHELD, type Withheld } from './team-form.ts'
import { UsersOfTeam } from './users-of-team.tsx'

// Each tab loads its own code; the editor, which comes first, begins with the page.
const editorCode = loadCode(() => import('./team-editor.tsx'))
const TeamEditor = lazyPart(async () => (await editorCode).TeamEditor)
const Playground = lazyPart(async () => (await import('../../parts/playground/playground.tsx')).Playground)
const GoneThing = lazyPart(async () => (await import('../../parts/gone/gone-thing.tsx')).GoneThing)
const VersionsPanel = lazyPart(
  async () => (await import('../../parts/versions/versions-panel.tsx')).VersionsPanel,
)
const ApiSnippetsPanel = lazyPart(
  async () => (await import('../../parts/api-snippets/api-snippets-panel.tsx')).ApiSnippetsPanel,
)

const ColleagueEdits = lazyPart(
  async () => (await import('../../parts/unsaved/colleague-edits.tsx')).ColleagueEdits,
)
const KeptOfGone = lazyPart(async () => (await import('../../parts/unsaved/kept-of-gone.tsx')).KeptOfGone)

const TABS = ['editor', 'playground', 'versions', 'use'] as const
const PARAMS = { tab: choiceParam(TABS, 'editor') }

/** One team: its editor, its playground, its versions and code that calls it. */
export function TeamPage() {
  const { paths } = usePlace()
  const teamId = usePathParam('teamId')
  const team = useOperation('getTeam', { params: { teamId } })
  const crumbs = [{ label: teamWords.title, href: paths.teams }]
  if (team.failure?.code === 'team_not_found') {
    return (
      <PageLayout title={words.goneTitle} crumbs={crumbs}>
        <Suspense>
          <GoneThing
            kind="team"
            id={teamId}
            title={words.goneTitle}
            detail={words.gone}
            href={paths.teams}
            label={words.allTeams}
          />
        </Suspense>
        <Suspense>
          <KeptOfGone kind="team" id={teamId} labelOf={teamSettingLabel} />
        </Suspense>
      </PageLayout>
    )
  }
  if (team.data && !team.isFormer) return <LoadedTeam key={teamId} team={team.data} asked={team} />
  return (
    <PageLayout title={teamWords.one} crumbs={crumbs}>
      <AskedPanel asked={{ ...team, data: undefined }} failed={words.failed} lines={10}>
        {() => null}
      </AskedPanel>
    </PageLayout>
  )
}

function LoadedTeam({ team, asked }: { team: TeamDetails; asked: AskedState<TeamDetails> }) {
  const { paths } = usePlace()
  const [{ tab }, setParams] = useSearchParams(PARAMS)
  const { teamId, versionNumber, config, usedBy } = team
  const saved = useMemo(() => savedContent(team), [team])
  const draft = useConfigDraft({ kind: 'team', id: teamId, saved })
  const conversations = useKeptConversations()
  const refusal = useRefusal('build')
  const withheld = useRef<Withheld>({ ...NOTHING_WITHHELD })
  // The saved and the former version have their own fallback.
  if (!draft.isDirty) withheld.current.fallback = undefined
  const edited = isTeamConfig(draft.draft.config) ? draft.draft.config : config
  const show = (path: string) => {
    setParams({ tab: 'editor' })
    showSetting(path.replace(/^config\./, ''))
  }
  useRenameKey(refusal, () => show('name'))
  const content = (id: typeof tab) => (
    <Suspense fallback={<Skeleton lines={10} />}>
      <TabContent
        team={team}
        draft={draft}
        config={edited}
        conversations={conversations}
        refusal={refusal}
        withheld={withheld}
        tab={id}
        isInView={id === tab}
      />
    </Suspense>
  )
  return (
    <PageLayout
      title={draft.draft.name.trim() || team.name}
      crumbs={[{ label: teamWords.title, href: paths.teams }]}
      mark={
        <>
          <LiveMark version={versionNumber} />
          <Badge>{teamWords.modes[config.mode]}</Badge>
          {draft.isUnsaved && <DraftMark>{words.unsaved}</DraftMark>}
        </>
      }
      detail={usedBy.length > 0 ? <UsersOfTeam usedBy={usedBy} /> : team.description}
      actions={<TeamActions team={team} onGone={draft.discard} />}
    >
      <AskedNotes asked={asked} failed={words.failed} />
      <Suspense>
        {draft.others.length > 0 && (
          <ColleagueEdits
            kind="team"
            id={teamId}
            draft={draft}
            labelOf={teamSettingLabel}
            wordsOf={teamSettingWords}
          />
        )}
      </Suspense>
      <TabBar
        label={words.tabList}
        value={tab}
        onChange={(next) => setParams({ tab: next }, { push: true })}
        kept={{ id: 'editor', content: content('editor') }}
        tabs={TABS.map((id) => ({ id, label: words.tabs[id] }))}
      >
        {content(tab)}
      </TabBar>
      <SaveBar
        draft={draft}
        labelOf={teamSettingLabel}
        wordsOf={teamSettingWords}
        refusal={refusal}
        onShow={show}
      />
    </PageLayout>
  )
}

interface TabContentProps {
  team: TeamDetails
  draft: ConfigDraft
  /** The configuration of the edit. */
  config: TeamConfig
  conversations: KeptConversations
  refusal: string | null
  withheld: RefObject<Withheld>
  tab: (typeof TABS)[number]
  /** The editor stays mounted while another tab is open. */
  isInView: boolean
}

function TabContent({
  team,
  draft,
  config,
  conversations,
  refusal,
  withheld,
  tab,
  isInView,
}: TabContentProps) {
  const { teamId, name, versionId } = team
  switch (tab) {
    case 'editor':
      return (
        <TeamEditor
          team={team}
          draft={draft}
          config={config}
          refusal={refusal}
          withheld={withheld}
          conversations={isInView ? conversations : null}
        />
      )
    case 'playground':
      return (
        <Playground
          conversations={conversations}
          kind="team"
          id={teamId}
          edit={draft}
          onDraftless={draft.discard}
        />
      )
    case 'versions':
      return <VersionsPanel kind="team" id={teamId} currentVersionId={versionId} isLive />
    case 'use':
      return <ApiSnippetsPanel kind="team" id={teamId} name={name} />
    default:
      return tab satisfies never
  }
}
