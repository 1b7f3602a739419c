import { textAt } from '../../parts/config-form/config-form.ts'
import { SettingField } from '../../parts/config-form/setting-field.tsx'
import { SettingGrid } from '../../parts/config-form/setting-frame.tsx'
import { LinesField } from './lines-field.tsx'
import { addressOf, KeyField, ProviderField, type SpeechFieldsProps } from './provider-fields.tsx'
import { SpeechFallbacks } from './speech-fallbacks.tsx'
import { textOrNull } from './voice-form.ts'

/** A provider of speech with its key, model and voice, and its fallbacks. */
export function SpeechFields({ part, form, projectId }: SpeechFieldsProps) {
  const provider = textAt(form, `${part}Provider`)
  const at = `settings.${part}`
  const isLocal = addressOf(provider) === null
  // Gemini's adapter has one address only.
  const hasAddress = !isLocal && provider !== 'google'
  const storedAddress = textOrNull(form, `${at}.baseUrl`)
  const ownAddress = hasAddress ? storedAddress : null
  // The server refuses an address of a previous provider, so it must be visible to be removed.
  const address = (hasAddress || storedAddress !== null) && (
    <SettingField form={form} path={`${at}.baseUrl`} look="line" isMono />
  )
  return (
    <>
      <SettingGrid>
        <ProviderField part={part} form={form} path={`${part}Provider`} />
        {/* The server may refuse a key of a previous provider, so it must be visible to be removed. */}
        {(!isLocal || textOrNull(form, `${part}CredentialId`) !== null) && (
          <KeyField
            form={form}
            path={`${part}CredentialId`}
            address={ownAddress ?? addressOf(provider)}
            isNeeded={!isLocal && ownAddress === null}
            projectId={projectId}
          />
        )}
      </SettingGrid>
      {(!isLocal || part === 'tts') && (
        <SettingGrid>
          {!isLocal && <SettingField form={form} path={`${at}.model`} isMono />}
          {part === 'tts' && <SettingField form={form} path={`${at}.voice`} isMono />}
          {part === 'tts' && <SettingField form={form} path={`${at}.speed`} />}
          {part === 'stt' && address}
        </SettingGrid>
      )}
      {(part === 'tts' || isLocal) && address}
      {provider === 'local-pocketsphinx' && <LinesField form={form} path={`${at}.grammar`} />}
      <SpeechFallbacks part={part} form={form} projectId={projectId} />
    </>
  )
}
