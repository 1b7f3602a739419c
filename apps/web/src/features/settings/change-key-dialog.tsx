import type { ApiKey } from '@troupe/contract/builder'
import { NumberField } from '../../atoms/controls/number-field.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { serverNow } from '../../core/format/server-clock.ts'
import { shortDate } from '../../core/format/times.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { chosenKeyEnd } from './key-state.ts'

const words = settingsWords.keys
const ENDS = ['kept', 'never', '30', '90', '365'] as const

/** Changes the name, the limit and the end of a key; its secret is unchanged. */
export function ChangeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const { apiKeyId, expiresAt } = apiKey
  const typed = useTypedForm<{ name: string; rpm: number | null; ends: (typeof ENDS)[number] }>(
    `key/${apiKeyId}`,
    { name: apiKey.name, rpm: apiKey.rpm, ends: 'kept' },
  )
  const { name, rpm, ends } = typed.fields
  const update = useChange('updateApiKey', { refreshes: ['listApiKeys'] })
  const submit = async () => {
    const changed = await update.run({
      params: { apiKeyId },
      // Unchanged fields are omitted, so that a colleague's change is kept.
      body: {
        ...(name === apiKey.name ? {} : { name }),
        ...(rpm === apiKey.rpm ? {} : { rpm }),
        ...chosenKeyEnd(ends, serverNow()),
      },
    })
    if (!changed) return
    typed.discard()
    showNotice({ title: words.changedNotice(name) })
    onClose()
  }
  const kept = expiresAt === null ? words.keptForever : words.keptEnd(shortDate(expiresAt, serverNow()))
  const control = controlsOf(typed, update.failure)
  return (
    <FormDialog
      title={words.changeTitle(apiKey.name)}
      onClose={onClose}
      action={words.changeAction}
      onSubmit={submit}
      isPending={update.isPending}
      isComplete={name.trim() !== ''}
      failed={words.changeFailed}
      failure={formFailure(update.failure, ['name', 'rpm'])}
      typed={typed}
    >
      <TextField
        label={words.name}
        description={words.nameDetail}
        {...control('name')}
        autoFocus
        isRequired
        maxLength={128}
      />
      <NumberField
        label={words.rpm}
        description={words.rpmDetail}
        isOptional
        {...control('rpm')}
        minValue={1}
      />
      <Select
        label={words.expires}
        value={ends}
        onChange={(next) => typed.change({ ends: next })}
        options={ENDS.filter((id) => id !== 'never' || expiresAt !== null).map((id) => ({
          id,
          label: id === 'kept' ? kept : id === 'never' ? words.never : words.inDays(Number(id)),
        }))}
      />
    </FormDialog>
  )
}
