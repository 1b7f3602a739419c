import { TextField } from '../../atoms/controls/text-field.tsx'
import { voiceWords } from '../../core/messages/en/voice/voice.ts'
import { voiceEditorWords as words } from '../../core/messages/en/voice/voice-editor.ts'
import type { ConfigForm } from '../../parts/config-form/config-form.ts'
import { SettingField } from '../../parts/config-form/setting-field.tsx'
import { AboutFrame, SettingFrame, SettingGrid } from '../../parts/config-form/setting-frame.tsx'
import { ListPicker } from '../../parts/pickers/list-picker.tsx'
import { AGENTS } from '../../parts/pickers/searched-lists.ts'
import type { ConfigDraft } from '../../parts/unsaved/use-config-draft.ts'
import { settingsInEffect, textOrNull } from './voice-form.ts'

/** The agent of the voice, its language, and its slug. */
export function BasicsFields({ draft, form }: { draft: ConfigDraft; form: ConfigForm }) {
  const agentId = textOrNull(form, 'agentId')
  return (
    <>
      <SettingFrame form={form} path="agentId">
        <ListPicker
          list={AGENTS}
          label={words.agent}
          description={words.agentDetail}
          placeholder={voiceWords.agentPlaceholder}
          value={agentId}
          isOffered={({ status }) => status !== 'archived'}
          // A voice always has an agent: a cleared field keeps the previous one.
          onChange={(id) => id !== null && form.set('agentId', id)}
          isDisabled={form.isReadOnly}
          error={form.errorAt('agentId')}
        />
      </SettingFrame>
      <SettingGrid>
        <SettingField
          form={form}
          path="settings.language"
          look="line"
          placeholder={settingsInEffect({ value: () => undefined }).language}
        />
        <AboutFrame draft={draft} path="name">
          <TextField
            label={words.slug}
            description={words.slugDetail}
            isMono
            value={draft.draft.name}
            onChange={(slug) => draft.change('name', slug)}
            isReadOnly={form.isReadOnly}
            error={draft.errorAt('name')}
          />
        </AboutFrame>
      </SettingGrid>
    </>
  )
}
