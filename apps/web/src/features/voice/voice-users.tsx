import type { VoiceConfiguration } from '@troupe/builder-contract'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { voiceEditorWords as words } from '../../core/messages/en/voice/voice-editor.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import styles from './voice.module.css'

/** The agent that speaks with a voice, and the numbers at which it does. */
export function VoiceUsers({ stored }: { stored: VoiceConfiguration }) {
  const { paths } = usePlace()
  const { agentId, agentName, phoneNumbers } = stored
  return (
    <span className={styles.users}>
      {words.speaksFor}
      <TextLink href={paths.agent(agentId)}>{agentName}</TextLink>
      {phoneNumbers.length > 0 && words.numbers}
      {phoneNumbers.map(({ phoneNumberId, e164 }) => (
        <span key={phoneNumberId}>{e164}</span>
      ))}
    </span>
  )
}
