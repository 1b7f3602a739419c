import { Volume2 } from 'lucide-react'
import { useState } from 'react'
import { TextArea } from '../../atoms/controls/text-field.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { duration } from '../../core/format/times.ts'
import { speechProviderLabel } from '../../core/messages/en/voice/providers.ts'
import { voiceEditorWords as words } from '../../core/messages/en/voice/voice-editor.ts'
import { fieldFailure } from '../../infrastructure/client/field-failure.ts'
import { type ConfigForm, textAt } from '../../parts/config-form/config-form.ts'
import type { Speak } from './use-speak.ts'
import styles from './voice.module.css'
import { settingsInEffect } from './voice-form.ts'

export interface SpeakSectionProps {
  speak: Speak
  form: ConfigForm
  /** The reason why the user may not test; null: allowed. */
  refusal: string | null
}

/** A sentence spoken with the editor's settings. */
export function SpeakSection({ speak, form, refusal }: SpeakSectionProps) {
  const [text, setText] = useState('')
  const { spoken, failure, isPending } = speak
  const greeting = textAt(form, 'settings.greeting.text') || settingsInEffect(form).greeting.text
  const ofText = fieldFailure(failure, 'config.text')
  return (
    <>
      <div className={styles.asideHead}>
        <h2>{words.speak}</h2>
        <p>{words.speakDetail}</p>
      </div>
      <TextArea
        label={words.speakText}
        placeholder={greeting}
        rows={3}
        maxLength={500}
        value={text}
        onChange={setText}
        error={ofText}
      />
      <div>
        <RefusableButton
          refusal={refusal}
          icon={<Volume2 size={14} />}
          isPending={isPending}
          onPress={() => void speak.run(text)}
        >
          {words.speakAction}
        </RefusableButton>
      </div>
      <FailurePanel title={words.speakFailed} failure={failure} />
      <div role="status" className={styles.spoken}>
        {spoken && (
          <>
            {/* biome-ignore lint/a11y/useMediaCaption: the spoken text is in the field above or in the greeting */}
            <audio key={spoken.audio} controls autoPlay src={spoken.audio} aria-label={words.spoken} />
            <p className={styles.quiet}>
              {words.spokenIn(speechProviderLabel(spoken.provider), duration(spoken.latencyMs))}
            </p>
            <blockquote className={styles.quote}>{spoken.text}</blockquote>
          </>
        )}
      </div>
    </>
  )
}
