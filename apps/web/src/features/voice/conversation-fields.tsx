import type { ConfigForm } from '../../parts/config-form/config-form.ts'
import { SettingField } from '../../parts/config-form/setting-field.tsx'
import { SettingGrid } from '../../parts/config-form/setting-frame.tsx'
import { LinesField } from './lines-field.tsx'
import { settingsInEffect } from './voice-form.ts'

interface FieldsProps {
  form: ConfigForm
}

/** The first speaker, and the greeting. */
export function GreetingFields({ form }: FieldsProps) {
  const isSpoken = form.value('settings.greeting.mode') !== 'wait'
  return (
    <>
      <SettingField form={form} path="settings.greeting.mode" look="radio" />
      {isSpoken && (
        <>
          <SettingField
            form={form}
            path="settings.greeting.text"
            look="area"
            placeholder={settingsInEffect(form).greeting.text}
          />
          <SettingField form={form} path="settings.greeting.interruptible" />
        </>
      )}
    </>
  )
}

/** When the agent answers, and when it can be interrupted. */
export function TurnFields({ form }: FieldsProps) {
  const isInterruptible = form.value('settings.bargeIn.enabled') !== false
  return (
    <>
      <SettingField form={form} path="settings.turn.detector" look="radio" />
      <SettingGrid>
        <SettingField form={form} path="settings.turn.minDelayMs" />
        <SettingField form={form} path="settings.turn.maxDelayMs" />
      </SettingGrid>
      <SettingField form={form} path="settings.bargeIn.enabled" />
      {isInterruptible && (
        <SettingGrid>
          <SettingField form={form} path="settings.bargeIn.minMs" />
          <SettingField form={form} path="settings.bargeIn.minWords" />
        </SettingGrid>
      )}
    </>
  )
}

/** The phrases during silence, and while thinking. */
export function SilenceFields({ form }: FieldsProps) {
  const { silence, filler } = settingsInEffect(form)
  const hasFiller = form.value('settings.filler.enabled') !== false
  return (
    <>
      <SettingGrid>
        <SettingField form={form} path="settings.silence.afterS" />
        <SettingField form={form} path="settings.silence.endAfterPrompts" />
      </SettingGrid>
      <SettingField form={form} path="settings.silence.text" placeholder={silence.text} />
      <SettingField form={form} path="settings.filler.enabled" />
      {hasFiller && (
        <>
          <SettingField form={form} path="settings.filler.afterMs" />
          <LinesField form={form} path="settings.filler.phrases" placeholder={filler.phrases.join('\n')} />
        </>
      )}
    </>
  )
}

/** The time limit, and the phrase for an unexpected end. */
export function LimitFields({ form }: FieldsProps) {
  const { fallbackText, resumeText, budgetText } = settingsInEffect(form)
  return (
    <>
      <SettingField form={form} path="settings.limits.maxSessionS" />
      <SettingField form={form} path="settings.limits.warnBeforeEnd" />
      <SettingField form={form} path="settings.fallbackText" placeholder={fallbackText} />
      <SettingField form={form} path="settings.resumeText" placeholder={resumeText} />
      <SettingField form={form} path="settings.budgetText" placeholder={budgetText} />
    </>
  )
}

/** Settings for calls. */
export function CallFields({ form }: FieldsProps) {
  return (
    <>
      <SettingField form={form} path="settings.call.disclosureText" />
      <SettingField form={form} path="settings.call.greetAfterMs" />
      <SettingField form={form} path="settings.call.voicemail" look="radio" />
      {form.value('settings.call.voicemail') === 'leave_message' && (
        <SettingField form={form} path="settings.call.voicemailText" />
      )}
    </>
  )
}
