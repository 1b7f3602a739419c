import { type IdText, type ProjectId, SPEECH_ADDRESSES, STT_PROVIDERS, TTS_PROVIDERS } from '@troupe/contract'
import { Select } from '../../atoms/controls/select.tsx'
import { SPEECH_PROVIDERS } from '../../core/messages/en/voice/providers.ts'
import { voiceEditorWords as words } from '../../core/messages/en/voice/voice-editor.ts'
import { type ConfigForm, textAt } from '../../parts/config-form/config-form.ts'
import { SettingFrame } from '../../parts/config-form/setting-frame.tsx'
import { CredentialPicker } from '../../parts/pickers/credential-picker.tsx'
import { type SpeechPart, textOrNull } from './voice-form.ts'

const PROVIDERS: Readonly<Record<SpeechPart, readonly string[]>> = { stt: STT_PROVIDERS, tts: TTS_PROVIDERS }
const ADDRESSES: Readonly<Record<string, string | null>> = SPEECH_ADDRESSES

export interface SpeechFieldsProps {
  part: SpeechPart
  form: ConfigForm
  /** The project of the agent; null: it belongs to the organization. */
  projectId: IdText<ProjectId> | null
}

/** The provider; one unknown to this build remains selectable. */
export function ProviderField({ part, form, path }: { part: SpeechPart; form: ConfigForm; path: string }) {
  const chosen = textAt(form, path)
  const known = PROVIDERS[part]
  const all = chosen === '' || known.includes(chosen) ? known : [...known, chosen]
  return (
    <SettingFrame form={form} path={path}>
      <Select
        label={words.provider}
        value={chosen === '' ? null : chosen}
        onChange={(id) => form.set(path, id)}
        options={all.map((id) => ({ id, label: id, ...SPEECH_PROVIDERS[id] }))}
        isDisabled={form.isReadOnly}
        error={form.errorAt(path)}
      />
    </SettingFrame>
  )
}

interface KeyFieldProps {
  form: ConfigForm
  path: string
  /** The destination of the key. */
  address: string | null
  /** False: a self-hosted server, which may need none. */
  isNeeded: boolean
  projectId: IdText<ProjectId> | null
}

/** The credential of a provider. */
export function KeyField({ form, path, address, isNeeded, projectId }: KeyFieldProps) {
  const value = textOrNull(form, path)
  return (
    <SettingFrame form={form} path={path}>
      <CredentialPicker
        label={words.credential}
        {...(isNeeded && value === null ? { description: words.credentialMissing } : {})}
        value={value}
        onChange={(id) => form.set(path, id)}
        projectId={projectId}
        {...(address === null ? {} : { url: address })}
        isDisabled={form.isReadOnly}
        error={form.errorAt(path)}
      />
    </SettingFrame>
  )
}

/** The address of a provider's service; null for a program of the machine, which needs no key. */
export function addressOf(provider: string): string | null {
  return ADDRESSES[provider] ?? null
}
