import { type ApiKey, successorEnd } from '@troupe/contract/builder'
import { useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { serverNow } from '../../core/format/server-clock.ts'
import { shortDate } from '../../core/format/times.ts'
import { atomWords } from '../../core/messages/en/atoms.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'
import { SecretGuard } from '../../parts/unsaved/secret-guard.tsx'
import { useSecretClosing } from '../../parts/unsaved/use-secret-closing.ts'
import { chosenKeyEnd } from './key-state.ts'
import { NewSecret } from './new-secret.tsx'

const words = settingsWords.keys
const OVERLAPS = ['0', '1', '24', '72', '168'] as const
const ENDS = ['default', 'never', '30', '90', '365'] as const

interface KeyDialogProps {
  apiKey: ApiKey
  onClose(): void
}

/** A new key that replaces an old one, which remains valid for the overlap. */
export function RotateKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const [hours, setHours] = useState<(typeof OVERLAPS)[number]>('24')
  const [ends, setEnds] = useState<(typeof ENDS)[number]>('default')
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = useChange('rotateApiKey', { refreshes: ['listApiKeys'] })
  const closing = useSecretClosing(secret, onClose)
  const end = successorEnd(apiKey, serverNow())
  const sameLife = end === null ? words.never : words.sameLife(shortDate(end / 1_000, serverNow()))
  const submit = async () => {
    const { apiKeyId } = apiKey
    const rotated = await rotate.run({
      params: { apiKeyId },
      body: { overlapHours: Number(hours), ...chosenKeyEnd(ends, serverNow()) },
    })
    if (rotated) setSecret(rotated.answer.secret)
  }
  const action =
    secret === null ? (
      <>
        <Button emphasis="quiet" onPress={closing.close} isDisabled={rotate.isPending}>
          {atomWords.cancel}
        </Button>
        <SendButton emphasis="primary" onPress={submit} isPending={rotate.isPending}>
          {words.rotateAction}
        </SendButton>
      </>
    ) : (
      <Button emphasis="primary" onPress={onClose}>
        {words.done}
      </Button>
    )
  return (
    <Dialog
      isOpen
      onClose={closing.close}
      title={secret === null ? words.rotateTitle(apiKey.name) : words.secretTitle}
      isDismissable={secret === null}
      // After the end of the old key, an unseen secret would be the only one.
      isHeld={rotate.isPending}
      actions={action}
    >
      <SecretGuard isActive={secret !== null || rotate.isPending} closing={closing.held} />
      {secret !== null ? (
        <NewSecret secret={secret} onCopied={closing.onCopied} />
      ) : (
        <>
          <p>{words.rotateDetail}</p>
          <FailurePanel title={words.rotateFailed} failure={rotate.failure} />
          <Select
            label={words.overlap}
            value={hours}
            onChange={setHours}
            options={OVERLAPS.map((id) => ({ id, label: words.overlapHours(Number(id)) }))}
          />
          <Select
            label={words.newExpires}
            value={ends}
            onChange={setEnds}
            options={ENDS.filter((id) => id !== 'never' || end !== null).map((id) => ({
              id,
              label: id === 'default' ? sameLife : id === 'never' ? words.never : words.inDays(Number(id)),
            }))}
          />
        </>
      )}
    </Dialog>
  )
}

/** Revokes a key permanently. */
export function RevokeKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  return (
    <ConfirmChange
      operation="revokeApiKey"
      input={{ params: { apiKeyId: apiKey.apiKeyId } }}
      refreshes={['listApiKeys']}
      title={words.revokeTitle(apiKey.name)}
      action={words.revokeAction}
      failed={words.revokeFailed}
      done={words.revokedNotice(apiKey.name)}
      onClose={onClose}
    >
      <p>{words.revokeDetail}</p>
    </ConfirmChange>
  )
}
