import { Disclosure } from '../../atoms/layout/disclosure.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { noMediaServerWords as words } from '../../core/messages/en/voice/no-media-server.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './no-media-server.module.css'

/** The connection settings of the server to LiveKit. */
const VARIABLES = [
  'LIVEKIT_HTTP_URL',
  'LIVEKIT_API_KEY',
  'LIVEKIT_API_SECRET',
  'VOICE_PUBLIC_WS_URL',
  'VOICE_INTERNAL_TOKEN',
]

/** Explains that sessions and calls are unavailable, and the operator's fix. Nothing on a server that has them. */
export function NoMediaServer() {
  const { session } = usePlace()
  if (session.server.voice) return null
  return (
    <Callout tone="warn">
      {words.what}
      <Disclosure look="line" title={words.how}>
        <p>{words.variables}</p>
        <ul className={styles.variables}>
          {VARIABLES.map((name) => (
            <li key={name}>
              <code translate="no">{name}</code>
            </li>
          ))}
        </ul>
        <p>
          <code translate="no">{words.command}</code> {words.laptop}
        </p>
      </Disclosure>
    </Callout>
  )
}
