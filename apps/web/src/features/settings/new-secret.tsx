import { CopyField } from '../../atoms/controls/copy-field.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

const words = settingsWords.keys

/** A secret that is shown once, and a command that works with it. It lives in the dialog's state only. */
export function NewSecret({ secret, onCopied }: { secret: string; onCopied(): void }) {
  const { session } = usePlace()
  return (
    <>
      <Callout tone="warn">{words.secretOnce}</Callout>
      {/* The next Enter of a hurried hand copies; it would close the dialog. */}
      <CopyField label={words.secret} text={secret} autoFocus onCopied={onCopied} />
      <CopyField
        label={words.tryIt}
        text={`curl -H 'X-API-Key: ${secret}' ${session.server.publicUrl}/api/v1/agents`}
        onCopied={onCopied}
      />
    </>
  )
}
