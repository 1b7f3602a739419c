import type { VoiceConfiguration } from '@troupe/contract/builder'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { voiceEditorWords as words } from '../../core/messages/en/voice/voice-editor.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './voice.module.css'

/** The uses of a voice: its agent, and its phone numbers. */
export function VoiceUsers({ stored }: { stored: VoiceConfiguration }) {
  const { paths } = usePlace()
  const { agentId, phoneNumbers } = stored
  return (
    <span className={styles.users}>
      {words.story}
      <TextLink href={paths.agent(agentId)}>{words.toAgent}</TextLink>
      {phoneNumbers.length > 0 && (
        <span>
          {words.numbers}{' '}
          <TextLink href={paths.phone({ tab: 'numbers' })}>
            {phoneNumbers.map(({ e164 }) => e164).join(', ')}
          </TextLink>
        </span>
      )}
    </span>
  )
}
