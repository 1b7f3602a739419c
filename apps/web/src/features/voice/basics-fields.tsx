import { TextField } from '../../atoms/controls/text-field.tsx'
import { voiceWords } from '../../core/messages/en/voice/voice.ts'
import { voiceEditorWords as words } from '../../core/messages/en/voice/voice-editor.ts'
import type { ConfigForm } from '../../parts/config-form/config-form.ts'
import { SettingField } from '../../parts/config-form/setting-field.tsx'
import { AboutFrame, SettingFrame, SettingGrid } from '../../parts/config-form/setting-frame.tsx'
import { SearchPicker } from '../../parts/pickers/search-picker.tsx'
import { AGENTS } from '../../parts/pickers/searched-lists.ts'
import { useChoices } from '../../parts/pickers/use-choices.ts'
import type { ConfigDraft } from '../../parts/unsaved/use-config-draft.ts'
import { settingsInEffect, textOrNull } from './voice-form.ts'

/** The agent of the voice, its language, and its slug. */
export function BasicsFields({ draft, form }: { draft: ConfigDraft; form: ConfigForm }) {
  const agentId = textOrNull(form, 'agentId')
  const agents = useChoices(AGENTS, agentId === null ? [] : [agentId])
  return (
    <>
      <SettingFrame form={form} path="agentId">
        <SearchPicker
          label={words.agent}
          description={words.agentDetail}
          placeholder={voiceWords.agentPlaceholder}
          value={agentId}
          name={agentId === null ? null : (agents.thing(agentId)?.name ?? null)}
          options={agents.found
            .filter(({ status }) => status !== 'archived')
            .map((agent) => ({ id: agent.agentId, label: agent.name }))}
          onType={agents.onType}
          // A voice always has an agent: a cleared field keeps the previous one.
          onChange={(id) => id !== null && form.set('agentId', id)}
          isDisabled={form.isReadOnly}
          error={form.errorAt('agentId') ?? agents.failure?.message ?? null}
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
