import type { IdText, PhoneTrunkId } from '@troupe/contract'
import type { PhoneNumber } from '@troupe/contract/builder'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { typedDifferences } from '../../core/forms/typed-fields.ts'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { e164Of } from '../../core/phone/typed-numbers.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { withFreeSlug } from '../../infrastructure/queries/with-free-slug.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { OptionPicker } from '../../parts/pickers/option-picker.tsx'
import { VOICE_CONFIGURATIONS } from '../../parts/pickers/searched-lists.ts'
import { useChoices } from '../../parts/pickers/use-choices.ts'
import { VoicePicker } from '../../parts/pickers/voice-picker.tsx'
import { VersionConflict } from '../../parts/unsaved/version-conflict.tsx'

const words = phoneWords.numbers
const PATHS = ['e164', 'slug', 'voiceConfigId']
/** Characters of the trunk's slug that leave room for every digit in the slug of a number. */
const ROOM_OF_TRUNK = 47
const LABELS = {
  e164: words.number,
  slug: phoneWords.slug,
  voiceConfigId: words.voice,
  trunkId: words.trunk,
}
const REFRESHES = ['listPhoneTrunks', 'listVoiceConfigurations', 'getVoiceConfiguration'] as const

export interface NumberDialogProps {
  /** null: a new one. */
  number: PhoneNumber | null
  /** The trunk of the number; null: to be selected. */
  trunkId: IdText<PhoneTrunkId> | null
  onClose(): void
}

/** Adds a number to a trunk, or changes it. */
export function NumberDialog({ number: opened, trunkId, onClose }: NumberDialogProps) {
  const { paths } = usePlace()
  const trunks = useOperation('listPhoneTrunks', {})
  const listed = trunks.data?.data ?? []
  // The current state: a colleague may have changed it since the dialog was opened.
  const number =
    opened &&
    (listed.flatMap(({ numbers }) => numbers).find((one) => one.phoneNumberId === opened.phoneNumberId) ??
      opened)
  const stored = {
    e164: number?.e164 ?? '',
    slug: number?.slug ?? '',
    voiceConfigId: number?.voiceConfigId ?? null,
    trunkId: trunkId ?? '',
  }
  const typed = useTypedForm(`phone-number/${number?.phoneNumberId ?? `new/${trunkId ?? ''}`}`, stored)
  const { e164, slug, voiceConfigId } = typed.fields
  const voices = useChoices(
    VOICE_CONFIGURATIONS,
    [stored.voiceConfigId, voiceConfigId].filter((id) => id !== null),
  )
  const trunk =
    listed.find((one) => one.trunkId === (trunkId ?? typed.fields.trunkId)) ??
    (listed.length === 1 ? listed[0] : undefined)
  const create = useChange('createPhoneNumber', { refreshes: REFRESHES })
  const update = useChange('updatePhoneNumber', { refreshes: REFRESHES })
  const { failure } = number ? update : create
  if (trunks.data && listed.length === 0) {
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={words.create}
        actions={
          <LinkButton emphasis="primary" href={paths.phone({ create: true })}>
            {phoneWords.trunks.create}
          </LinkButton>
        }
      >
        <p>{words.needsTrunk}</p>
      </Dialog>
    )
  }
  const send = async (version: number) => {
    if (!trunk) return
    const digits = e164Of(e164)
    const done = number
      ? await update.run({
          params: { phoneNumberId: number.phoneNumberId },
          body: { e164: digits, slug, voiceConfigId, version },
        })
      : // The same number may belong to several trunks.
        await withFreeSlug(
          { name: `${trunk.slug.slice(0, ROOM_OF_TRUNK)} ${digits}`, fallback: 'number' },
          (free, onFailure) =>
            create.run(
              { params: { trunkId: trunk.trunkId }, body: { e164: digits, slug: free, voiceConfigId } },
              onFailure,
            ),
        )
    if (!done) return trunks.retry()
    typed.discard()
    showNotice({ title: number ? words.changedNotice(digits) : words.added(digits) })
    onClose()
  }
  const isStale = (update.failure?.current ?? null) !== null
  const control = controlsOf(typed, failure)
  return (
    <>
      <FormDialog
        title={number ? words.changeTitle(number.e164) : words.create}
        onClose={onClose}
        action={number ? phoneWords.save : words.createAction}
        onSubmit={() => send(number?.version ?? 1)}
        isPending={create.isPending || update.isPending}
        isComplete={trunk !== undefined && e164.trim() !== '' && (number === null || slug !== '')}
        failed={number ? words.changeFailed : words.createFailed}
        failure={isStale ? null : formFailure(failure, PATHS)}
        typed={typed}
      >
        {trunkId === null && listed.length > 1 && (
          <OptionPicker
            label={words.trunk}
            value={trunk?.trunkId ?? null}
            onChange={(id) => typed.change({ trunkId: id })}
            options={listed.map((one) => ({ id: one.trunkId, label: one.name, detail: one.address }))}
          />
        )}
        <TextField
          label={words.number}
          description={words.numberDetail}
          placeholder={words.numberPlaceholder}
          value={e164}
          onChange={(next) => typed.change({ e164: next })}
          autoFocus={number === null}
          isRequired
          isMono
          maxLength={40}
          error={fieldFailure(failure, 'e164') ?? (number ? null : fieldFailure(failure, 'slug'))}
        />
        <VoicePicker
          label={words.voice}
          description={words.voiceDetail}
          none={words.noVoice}
          gone={words.voiceGone}
          {...control('voiceConfigId')}
          projectId={trunk?.projectId ?? null}
        />
        {number && (
          <TextField
            label={phoneWords.slug}
            description={phoneWords.slugDetail}
            {...control('slug')}
            isRequired
            isMono
            maxLength={64}
          />
        )}
      </FormDialog>
      <VersionConflict
        change={update}
        what={words.conflict}
        differences={typedDifferences(typed.changed, stored, LABELS)}
        names={new Map(voices.known.map((voice) => [voice.voiceConfigId, voice.agentName]))}
        onTakeTheirs={() => {
          typed.discard()
          onClose()
        }}
        // The body is based on this version: an older one than the conflict's would revert the other change.
        onKeepMine={() => send(number?.version ?? 1)}
      />
    </>
  )
}
