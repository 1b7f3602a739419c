import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { type ModeSetting, readsSetting } from '../../core/teams/mode-settings.ts'
import { SettingField } from '../../parts/config-form/setting-field.tsx'
import { SettingGrid } from '../../parts/config-form/setting-frame.tsx'
import { EditorSection } from '../../parts/editor-section/editor-section.tsx'
import type { TeamForm } from './team-form.ts'

const words = teamPageWords.limits
const OF_MODES = [
  'limits.max_iterations',
  'limits.lead_max_steps',
  'limits.max_delegations',
  'limits.max_concurrent_members',
] as const satisfies ModeSetting[]

/** The maximum extent of a run; only the limits used by the mode. */
export function TeamLimitsSection({ form }: { form: TeamForm }) {
  const { config, errorAt } = form
  const { limits, mode, toggles } = config
  const isRead = (path: ModeSetting) => readsSetting(mode, path) || errorAt(path) !== null
  const { max_total_tokens: tokens, max_cost_usd: cost } = limits.budget
  const paths = [
    ...OF_MODES.filter(isRead),
    'limits.max_seconds',
    'limits.member_timeout_ms',
    ...(toggles.members_see_team_history ? ['limits.history_tokens'] : []),
    'limits.budget.max_total_tokens',
    'limits.budget.max_cost_usd',
    ...(tokens !== null || cost !== null ? ['limits.budget.on_exceeded'] : []),
  ]
  return (
    <EditorSection
      id="limits"
      title={words.title}
      detail={words.detail}
      isChanged={form.isSectionChanged('limits')}
    >
      <SettingGrid>
        {paths.map((path) => (
          <SettingField key={path} form={form} path={path} />
        ))}
      </SettingGrid>
    </EditorSection>
  )
}
