import { CopyField } from '../../atoms/controls/copy-field.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

const words = settingsWords.keys

/** A secret that is shown once, with a working command. It is only in the dialog's state. */
export function NewSecret({ secret, onCopied }: { secret: string; onCopied(): void }) {
  const { session } = usePlace()
  return (
    <>
      <Callout tone="warn">{words.secretOnce}</Callout>
      {/* A hasty second Enter copies the secret; on another button it would close the dialog. */}
      <CopyField label={words.secret} text={secret} autoFocus onCopied={onCopied} />
      <CopyField
        label={words.tryIt}
        text={`curl -H 'X-API-Key: ${secret}' ${session.server.publicUrl}/api/v1/agents`}
        onCopied={onCopied}
      />
    </>
  )
}
