import type { VoiceConfiguration } from '@troupe/contract/builder'
import { Disclosure } from '../../atoms/layout/disclosure.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { Skeleton } from '../../atoms/states/panels.tsx'
import { duration } from '../../core/format/times.ts'
import { voiceEditorWords as words } from '../../core/messages/en/voice/voice-editor.ts'
import { type ConfigForm, textAt } from '../../parts/config-form/config-form.ts'
import { JsonValueField } from '../../parts/config-form/json-value-field.tsx'
import type { ConfigDraft } from '../../parts/unsaved/use-config-draft.ts'
import { BasicsFields } from './basics-fields.tsx'
import { CallFields, GreetingFields, LimitFields, SilenceFields, TurnFields } from './conversation-fields.tsx'
import { SpeakSection } from './speak-section.tsx'
import { SpeechFields } from './speech-fields.tsx'
import { useSpeak } from './use-speak.ts'
import styles from './voice.module.css'
import { numberAt } from './voice-form.ts'

export interface VoiceEditorProps {
  stored: VoiceConfiguration
  draft: ConfigDraft
  form: ConfigForm
  /** The reason why the user may not change it; null: allowed. */
  refusal: string | null
}

/** Every setting of a voice. Errors of a test are also shown at their fields. */
export function VoiceEditor({ stored, draft, form: edited, refusal }: VoiceEditorProps) {
  const speak = useSpeak(stored.voiceConfigId, draft)
  const form = { ...edited, errorAt: (path: string) => edited.errorAt(path) ?? speak.errorAt(path) }
  const projectId = textAt(form, 'agentId') === stored.agentId ? stored.projectId : null
  if (draft.isLoading) return <Skeleton lines={10} />
  return (
    <div className={styles.editor}>
      <div className={styles.main}>
        <Section title={words.hearing} detail={words.hearingDetail}>
          <Card>
            <SpeechFields part="stt" form={form} projectId={projectId} />
          </Card>
        </Section>
        <Section title={words.speaking} detail={words.speakingDetail}>
          <Card>
            <SpeechFields part="tts" form={form} projectId={projectId} />
          </Card>
        </Section>
      </div>
      <aside className={styles.aside} aria-label={words.speak}>
        <SpeakSection speak={speak} form={form} refusal={refusal} />
      </aside>
      <div className={styles.main}>
        <Section title={words.greeting}>
          <Card>
            <GreetingFields form={form} />
          </Card>
        </Section>
        <div className={styles.more}>
          <Disclosure look="section" title={words.turns} summary={turnsText(form)}>
            <TurnFields form={form} />
          </Disclosure>
          <Disclosure
            look="section"
            title={words.waiting}
            summary={words.waitingSummary(numberAt(form, 'settings.silence.afterS'))}
          >
            <SilenceFields form={form} />
          </Disclosure>
          <Disclosure
            look="section"
            title={words.limits}
            summary={words.limitsSummary(duration(numberAt(form, 'settings.limits.maxSessionS') * 1_000))}
          >
            <LimitFields form={form} />
          </Disclosure>
          <Disclosure look="section" title={words.call}>
            <CallFields form={form} />
          </Disclosure>
        </div>
        <Section title={words.basics}>
          <Card>
            <BasicsFields draft={draft} form={form} />
          </Card>
        </Section>
        <div className={styles.more}>
          <Disclosure look="section" title={words.json}>
            <JsonValueField
              isObject
              id={stored.voiceConfigId}
              label={words.jsonLabel}
              description={words.jsonHelp}
              value={form.value('settings')}
              keeper={form.keeperAt('settings')}
              onChange={(value) => form.set('settings', value ?? {})}
              isReadOnly={form.isReadOnly}
              error={form.errorAt('settings')}
            />
          </Disclosure>
        </div>
      </div>
    </div>
  )
}

function turnsText(form: ConfigForm): string {
  return words.turnsSummary(
    duration(numberAt(form, 'settings.turn.minDelayMs')),
    duration(numberAt(form, 'settings.turn.maxDelayMs')),
  )
}
