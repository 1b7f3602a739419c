import type { TeamConfig } from '@troupe/contract'
import type { TeamDetails } from '@troupe/contract/builder'
import type { ReactNode, RefObject } from 'react'
import { TextArea, TextField } from '../../atoms/controls/text-field.tsx'
import { SectionList } from '../../atoms/layout/section-list.tsx'
import { useMedia } from '../../atoms/layout/use-media.ts'
import { Callout } from '../../atoms/states/panels.tsx'
import { TEAM_SPECS } from '../../core/forms/setting-specs.ts'
import { pathPattern } from '../../core/forms/setting-words.ts'
import { teamSettingWords } from '../../core/labels/team-setting-labels.ts'
import { teamPageWords as words } from '../../core/messages/en/teams/page.ts'
import { isTeamConfig, TOGGLE_ORDER } from '../../core/teams/team-config.ts'
import { optionalParam } from '../../core/url/search-params.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { configForm } from '../../parts/config-form/config-form.ts'
import { AboutFrame } from '../../parts/config-form/setting-frame.tsx'
import { EditorAside } from '../../parts/editor-aside/editor-aside.tsx'
import { EditorSection } from '../../parts/editor-section/editor-section.tsx'
import { OwnProject } from '../../parts/move-things/own-project.tsx'
import type { KeptConversations } from '../../parts/playground/conversations/kept-conversations.ts'
import type { ConfigDraft } from '../../parts/unsaved/use-config-draft.ts'
import { ChoicesSection } from './choices-section.tsx'
import { LeadSection } from './lead-section.tsx'
import { TeamLimitsSection } from './limits-section.tsx'
import { MembersSection } from './members-section.tsx'
import { TeamMemorySection } from './memory-section.tsx'
import { ModeSection } from './mode-section.tsx'
import { MoreSection } from './more-section.tsx'
import { PromptsDialog } from './prompts/prompts-dialog.tsx'
import { TEAM_SECTIONS, type TeamForm, teamSectionOf, type Withheld } from './team-form.ts'
import { TeamStory } from './team-story.tsx'
import styles from './teams.module.css'
import { TogglesSection } from './toggles-section.tsx'
import { useAgentNames } from './use-agent-names.ts'

const PARAMS = { prompts: optionalParam }
/** As in `teams.module.css`. */
const WIDE = '(min-width: 70rem)'
const ALL_PROMPTS = 'all'
const LONGEST_NAME = 128

export interface TeamEditorProps {
  team: TeamDetails
  draft: ConfigDraft
  /** The configuration of the edit. */
  config: TeamConfig
  /** The reason why the user may not change the team; null: allowed. */
  refusal: string | null
  withheld: RefObject<Withheld>
  /** The page's conversations; null while the tab of the playground shows them. */
  conversations: KeptConversations | null
}

/** The settings of a team, with the course of a run beside them. */
export function TeamEditor({ team, draft, config, refusal, withheld, conversations }: TeamEditorProps) {
  const [{ prompts }, setParams] = useSearchParams(PARAMS)
  const names = useAgentNames(team.agents)
  const isReadOnly = refusal !== null
  const changed = new Set(draft.changes.map(({ path }) => teamSectionOf(path)))
  const form: TeamForm = {
    ...configForm(draft, {
      specOf: (path) => TEAM_SPECS[pathPattern(path)],
      wordsOf: teamSettingWords,
      isReadOnly,
    }),
    config,
    projectId: team.projectId,
    isSectionChanged: (id) => changed.has(id),
  }
  const toggle = TOGGLE_ORDER.find((name) => name === prompts) ?? null
  const showPrompts = (which: string) => setParams({ prompts: which }, { push: true })
  const { nameOf } = names
  const isWide = useMedia(WIDE)
  const story = (
    <TeamStory
      teamId={team.teamId}
      config={config}
      nameOf={nameOf}
      refusal={refusal}
      onShowPrompts={() => showPrompts(ALL_PROMPTS)}
    />
  )
  return (
    <div className={styles.editor}>
      <SectionList
        label={words.sections}
        items={TEAM_SECTIONS.map((id) => ({ id, label: words[id].title, isChanged: changed.has(id) }))}
      />
      <div className={styles.mode}>
        {refusal !== null && <Callout>{words.readOnly(refusal)}</Callout>}
        {!isTeamConfig(draft.draft.config) && <Callout tone="warn">{words.oddDraft}</Callout>}
        <ModeSection form={form} saved={team.config} nameOf={nameOf} withheld={withheld} />
      </div>
      <div className={styles.story}>
        {isWide ? (
          <EditorAside
            kind="team"
            id={team.teamId}
            edit={draft}
            conversations={conversations}
            title={words.story.title}
          >
            {story}
          </EditorAside>
        ) : (
          story
        )}
      </div>
      <div className={styles.rest}>
        <LeadSection form={form} saved={team.config} names={names} withheld={withheld} />
        <MembersSection form={form} names={names} />
        <About draft={draft} isReadOnly={isReadOnly} isChanged={changed.has('about')}>
          <OwnProject thing={{ kind: 'team', id: team.teamId, name: team.name, projectId: team.projectId }} />
        </About>
        <TogglesSection form={form} refusal={refusal} onShow={showPrompts} />
        <ChoicesSection form={form} nameOf={nameOf} />
        <TeamLimitsSection form={form} />
        <TeamMemorySection form={form} />
        <MoreSection form={form} />
      </div>
      {!isReadOnly && (toggle !== null || prompts === ALL_PROMPTS) && (
        <PromptsDialog
          teamId={team.teamId}
          content={draft.draft}
          config={config}
          toggle={toggle}
          onClose={() => setParams({ prompts: null })}
        />
      )}
    </div>
  )
}

interface AboutProps {
  draft: ConfigDraft
  isReadOnly: boolean
  isChanged: boolean
  /** Below the fields. */
  children: ReactNode
}

function About({ draft, isReadOnly, isChanged, children }: AboutProps) {
  const { name, description } = draft.draft
  return (
    <EditorSection id="about" title={words.about.title} isChanged={isChanged}>
      <AboutFrame draft={draft} path="name">
        <TextField
          label={words.about.name}
          value={name}
          onChange={(text) => draft.change('name', text)}
          error={draft.errorAt('name')}
          isReadOnly={isReadOnly}
          maxLength={LONGEST_NAME}
          isRequired
        />
      </AboutFrame>
      <AboutFrame draft={draft} path="description">
        <TextArea
          label={words.about.description}
          description={words.about.descriptionDetail}
          rows={2}
          value={description ?? ''}
          onChange={(text) => draft.change('description', text === '' ? null : text)}
          error={draft.errorAt('description')}
          isReadOnly={isReadOnly}
          isOptional
        />
      </AboutFrame>
      {children}
    </EditorSection>
  )
}
