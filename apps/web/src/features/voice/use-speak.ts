import type { IdText, VoiceConfigurationId } from '@troupe/contract'
import type { SpokenTest } from '@troupe/contract/builder'
import { isSameJson } from '@troupe/editor/values/json-path'
import { useState } from 'react'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import { fieldFailure } from '../../infrastructure/client/field-failure.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import type { ConfigDraft } from '../../parts/unsaved/use-config-draft.ts'
import { asVoiceFailure, voiceFields } from '../../parts/unsaved/voice-content.ts'

/** Synthesizes a sentence with the current voice of the editor. */
export interface Speak {
  /** @param text '': the greeting */
  run(text: string): Promise<void>
  spoken: SpokenTest | null
  failure: CallFailure | null
  /** A test's error of a field, while its value is unchanged; paths as in the editor. */
  errorAt(path: string): string | null
  isPending: boolean
}

/** Requests speech with the current input, saved or not. */
export function useSpeak(voiceConfigId: IdText<VoiceConfigurationId>, { draft }: ConfigDraft): Speak {
  const test = useChange('testVoiceConfiguration')
  const [asked, setAsked] = useState<{ draft: ConfigDraft['draft']; spoken: SpokenTest | null } | null>(null)
  const failure = test.failure && asVoiceFailure(test.failure)
  const isCurrent = asked !== null && isSameJson(asked.draft.config, draft.config)
  return {
    run: async (text) => {
      setAsked({ draft, spoken: null })
      const { slug: _, sttProvider: __, sttCredentialId: ___, ...spoken } = voiceFields(draft)
      const sentence = text.trim() === '' ? {} : { text: text.trim() }
      const done = await test.run({ body: { voiceConfigId, ...spoken, ...sentence } })
      if (done) setAsked({ draft, spoken: done.answer })
    },
    spoken: asked?.spoken ?? null,
    failure,
    errorAt: (path) => (isCurrent ? fieldFailure(failure, `config.${path}`) : null),
    isPending: test.isPending,
  }
}
