import type { AgentId, IdText, TeamConfig } from '@troupe/contract'
import { type RefObject, useEffect, useState } from 'react'
import { CardChoice } from '../../atoms/controls/card-choice.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { teamSettingLabel } from '../../core/labels/team-setting-labels.ts'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { teamWords } from '../../core/messages/en/teams/teams.ts'
import { type ModeSetting, teamInMode } from '../../core/teams/mode-settings.ts'
import { MODE_ORDER } from '../../core/teams/team-config.ts'
import { SettingFrame } from '../../parts/config-form/setting-frame.tsx'
import { EditorSection } from '../../parts/editor-section/editor-section.tsx'
import { ModePicture } from '../../parts/team-diagram/mode-picture.tsx'
import type { TeamForm, Withheld } from './team-form.ts'

const words = teamPageWords.mode

/** The modes as cards with their diagrams. */
export const MODE_OPTIONS = MODE_ORDER.map((mode) => ({
  id: mode,
  label: teamWords.modes[mode],
  detail: words.details[mode],
  icon: <ModePicture mode={mode} size="large" />,
}))

/** The mode, and the settings that it ignores. */
export function ModeSection({
  form,
  saved,
  nameOf,
  withheld,
}: {
  form: TeamForm
  saved: TeamConfig
  nameOf(agentId: IdText<AgentId>): string
  withheld: RefObject<Withheld>
}) {
  const { config, set, errorAt, isReadOnly } = form
  const ignored = useIgnoredSettings(config)
  const { fallback = saved.fallback_member } = withheld.current
  const lost = config.fallback_member === null && config.mode !== 'handoff' ? fallback : null
  const name = teamWords.modes[config.mode]
  return (
    <EditorSection
      id="mode"
      title={words.title}
      detail={words.detail}
      isChanged={form.isSectionChanged('mode')}
    >
      <SettingFrame form={form} path="mode">
        <CardChoice
          label={words.label}
          isLabelHidden
          options={MODE_OPTIONS}
          value={config.mode}
          error={errorAt('mode')}
          isReadOnly={isReadOnly}
          onChange={(mode) => {
            const former = config.mode === 'handoff' ? config.fallback_member : fallback
            withheld.current.fallback = former
            const next = teamInMode(config, mode, former)
            set('mode', next.mode)
            set('fallback_member', next.fallback_member)
          }}
        />
      </SettingFrame>
      {(ignored.length > 0 || lost !== null) && (
        <Callout tone="info">
          {ignored.length > 0 && (
            <p>
              {words.ignores(name, ignored.map((path) => teamSettingLabel(path)).join(', '))} {words.kept}
            </p>
          )}
          {lost !== null && <p>{words.fallbackGone(nameOf(lost), name)}</p>}
        </Callout>
      )}
    </EditorSection>
  )
}

/** The settings ignored by the mode; none until the defaults have loaded. */
function useIgnoredSettings(config: TeamConfig): readonly ModeSetting[] {
  const [ignored, setIgnored] = useState<readonly ModeSetting[]>([])
  useEffect(() => {
    let isCurrent = true
    import('../../core/teams/ignored-settings.ts')
      .then(({ ignoredSettings }) => isCurrent && setIgnored(ignoredSettings(config)))
      // Without the defaults, only the hint is missing.
      .catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [config])
  return ignored
}
