import type { TeamDetails } from '@troupe/contract/builder'
import { Suspense, useMemo, useRef } from 'react'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { loadCode } from '../../atoms/parts/load-code.ts'
import { AskedNotes, AskedPanel, type AskedState } from '../../atoms/states/asked-panel.tsx'
import { Badge, DraftMark, LiveMark } from '../../atoms/states/badge.tsx'
import { Avatar, Skeleton } from '../../atoms/states/panels.tsx'
import { teamSettingLabel, teamSettingWords } from '../../core/labels/team-setting-labels.ts'
import { teamPageWords as words } from '../../core/messages/en/teams/page.ts'
import { teamWords } from '../../core/messages/en/teams/teams.ts'
import { isTeamConfig } from '../../core/teams/team-config.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { usePathParam } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { showSetting } from '../../parts/config-form/show-setting.ts'
import { RunnableTabs } from '../../parts/runnable-tabs/runnable-tabs.tsx'
import { savedContent } from '../../parts/unsaved/config-resource.ts'
import { useConfigDraft } from '../../parts/unsaved/use-config-draft.ts'
import { NOTHING_WITHHELD, type Withheld } from './team-form.ts'
import { UsersOfTeam } from './users-of-team.tsx'

// Both begin with the page.
const actionsCode = loadCode(() => import('./team-actions.tsx'))
const TeamActions = lazyPart(async () => (await actionsCode).TeamActions)
const editorCode = loadCode(() => import('./team-editor.tsx'))
const TeamEditor = lazyPart(async () => (await editorCode).TeamEditor)
const GoneThing = lazyPart(async () => (await import('../../parts/gone/gone-thing.tsx')).GoneThing)
const KeptOfGone = lazyPart(async () => (await import('../../parts/unsaved/kept-of-gone.tsx')).KeptOfGone)

/** One team: its editor, its playground, its versions and code that calls it. */
export function TeamPage() {
  const { paths } = usePlace()
  const teamId = usePathParam('teamId')
  const team = useOperation('getTeam', { params: { teamId } })
  const crumbs = [{ label: teamWords.title, href: paths.teams }]
  if (team.failure?.code === 'team_not_found') {
    return (
      <PageLayout title={words.goneTitle} isBare crumbs={crumbs}>
        <Suspense fallback={<Skeleton lines={10} />}>
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
  const { teamId, versionNumber, config, usedBy } = team
  const saved = useMemo(() => savedContent(team), [team])
  const draft = useConfigDraft({ kind: 'team', id: teamId, saved })
  const refusal = useRefusal('build')
  const withheld = useRef<Withheld>({ ...NOTHING_WITHHELD })
  // The saved and the previous version have their own fallback.
  if (!draft.isDirty) withheld.current.fallback = undefined
  const edited = isTeamConfig(draft.draft.config) ? draft.draft.config : config
  return (
    <PageLayout
      title={draft.draft.name.trim() || team.name}
      lead={<Avatar id={teamId} name={team.name} shape="square" />}
      crumbs={[{ label: teamWords.title, href: paths.teams }]}
      mark={
        <>
          <LiveMark version={versionNumber} />
          <Badge>{teamWords.modes[config.mode]}</Badge>
          {draft.isUnsaved && <DraftMark>{words.unsaved}</DraftMark>}
        </>
      }
      detail={usedBy.length > 0 ? <UsersOfTeam usedBy={usedBy} /> : team.description}
      actions={
        <Suspense>
          <TeamActions team={team} onGone={draft.discard} />
        </Suspense>
      }
    >
      <AskedNotes asked={asked} failed={words.failed} />
      <RunnableTabs
        kind="team"
        id={teamId}
        saved={team}
        isLive
        draft={draft}
        refusal={refusal}
        words={words}
        labelOf={teamSettingLabel}
        wordsOf={teamSettingWords}
        onShow={(path) => showSetting(path.replace(/^config\./, ''))}
        editor={(conversations) => (
          <TeamEditor
            team={team}
            draft={draft}
            config={edited}
            refusal={refusal}
            withheld={withheld}
            conversations={conversations}
          />
        )}
      />
    </PageLayout>
  )
}
