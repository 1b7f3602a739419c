import { Fragment } from 'react'
import { Callout } from '../../atoms/states/panels.tsx'
import { noMediaServerWords as words } from '../../core/messages/en/voice/no-media-server.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

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
      {words.what} {words.variables}
      {VARIABLES.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <code translate="no">{name}</code>
        </Fragment>
      ))}
      {words.guide}
      <code translate="no">{words.command}</code>
      {words.laptop}
    </Callout>
  )
}
