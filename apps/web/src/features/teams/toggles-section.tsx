import { Eye } from 'lucide-react'
import { Toggle } from '../../atoms/controls/toggles.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { teamSettingLabel } from '../../core/labels/team-setting-labels.ts'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { readsSetting } from '../../core/teams/mode-settings.ts'
import { TOGGLE_ORDER } from '../../core/teams/team-config.ts'
import { SettingFrame } from '../../parts/config-form/setting-frame.tsx'
import { EditorSection } from '../../parts/editor-section/editor-section.tsx'
import type { TeamForm } from './team-form.ts'
import styles from './teams.module.css'

const words = teamPageWords.toggles

export interface TogglesSectionProps {
  form: TeamForm
  /** The reason why the user may not see prompts; null: allowed. */
  refusal: string | null
  /** Shows the prompts of both positions of a toggle. */
  onShow(toggle: string): void
}

/** The toggles, each with its prompts. */
export function TogglesSection({ form, refusal, onShow }: TogglesSectionProps) {
  const { config, isReadOnly } = form
  return (
    <EditorSection
      id="toggles"
      title={words.title}
      detail={words.detail}
      isChanged={form.isSectionChanged('toggles')}
    >
      {TOGGLE_ORDER.map((name) => {
        const path = `toggles.${name}` as const
        const label = teamSettingLabel(path)
        const isRead = path !== 'toggles.share_member_interactions' || readsSetting(config.mode, path)
        return (
          <SettingFrame key={name} form={form} path={path}>
            <div className={styles.toggle}>
              <Toggle
                isSelected={config.toggles[name]}
                onChange={(isOn) => form.set(path, isOn)}
                isDisabled={isReadOnly}
                description={words.details[name][config.mode]}
              >
                {label}
              </Toggle>
              {isRead && (
                <RefusableButton
                  refusal={refusal}
                  size="small"
                  emphasis="quiet"
                  icon={<Eye size={14} />}
                  aria-label={words.showOf(label)}
                  onPress={() => onShow(name)}
                >
                  {words.show}
                </RefusableButton>
              )}
            </div>
          </SettingFrame>
        )
      })}
    </EditorSection>
  )
}
