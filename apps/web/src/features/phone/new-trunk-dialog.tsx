import type { IdText, ProjectId } from '@troupe/contract'
import { useState } from 'react'
import { RadioGroup } from '../../atoms/controls/choices.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { asSentence } from '../../core/format/sentence.ts'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { errorBelow, fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { withFreeSlug } from '../../infrastructure/queries/with-free-slug.ts'
import { useGoToMade } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ProjectField } from '../../parts/project-field/project-field.tsx'
import { CountriesField } from './countries-field.tsx'

const words = phoneWords.fields
const PATHS = ['name', 'slug', 'projectId', 'direction', 'address', 'auth.username', 'auth.password']
const DIRECTIONS = ['outbound', 'inbound'] as const

/** A carrier's account data, as a trunk. All other settings have defaults and are changed on the page of the trunk. */
export function NewTrunkDialog({ onClose }: { onClose(): void }) {
  const { paths, projectId: here } = usePlace()
  const goToMade = useGoToMade()
  const typed = useTypedForm<{
    name: string
    direction: (typeof DIRECTIONS)[number]
    address: string
    username: string
    allowedCountries: string[]
    projectId: IdText<ProjectId> | null
  }>('phone-trunk/new', {
    ...{ name: '', direction: 'outbound', address: '', username: '' },
    ...{ allowedCountries: [], projectId: here },
  })
  const { name, direction, address, username, allowedCountries, projectId } = typed.fields
  // Secrets are not stored.
  const [password, setPassword] = useState('')
  const create = useChange('createPhoneTrunk', { refreshes: ['listPhoneTrunks'] })
  const { failure } = create
  const countryFailure = errorBelow(failure, 'allowedCountries')
  const isFilled = name.trim() !== '' && address.trim() !== ''
  const lacksPassword = username.trim() !== '' && password === ''
  const send = async () => {
    const auth = username.trim() === '' ? null : { username: username.trim(), password }
    const body = { name, direction, address: address.trim(), auth, allowedCountries, projectId }
    const made = await withFreeSlug({ name, fallback: 'trunk' }, (slug, onFailure) =>
      create.run({ body: { slug, ...body } }, onFailure),
    )
    if (!made) return
    typed.discard()
    setPassword('')
    goToMade(paths.phoneTrunk(made.answer.trunkId))
  }
  const control = controlsOf(typed, failure)
  return (
    <FormDialog
      title={phoneWords.trunks.create}
      onClose={onClose}
      action={phoneWords.trunks.createAction}
      onSubmit={send}
      isPending={create.isPending}
      isComplete={isFilled && !lacksPassword}
      missing={isFilled && lacksPassword ? words.passwordMissing : null}
      failed={phoneWords.trunks.createFailed}
      failure={formFailure(failure, countryFailure ? [...PATHS, countryFailure.path] : PATHS)}
      typed={typed}
    >
      <TextField
        label={words.name}
        placeholder={words.namePlaceholder}
        value={name}
        onChange={(next) => typed.change({ name: next })}
        autoFocus
        isRequired
        maxLength={128}
        error={fieldFailure(failure, 'name') ?? fieldFailure(failure, 'slug')}
      />
      <TextField
        label={words.address}
        description={words.addressDetail}
        placeholder={words.addressPlaceholder}
        {...control('address')}
        isRequired
        isMono
        maxLength={261}
      />
      <TextField
        label={words.authUsername}
        description={words.authDetail}
        value={username}
        onChange={(next) => typed.change({ username: next })}
        isOptional
        autoComplete="off"
        maxLength={256}
        error={fieldFailure(failure, 'auth.username')}
      />
      {username.trim() !== '' && (
        <TextField
          label={words.password}
          description={words.passwordOnce}
          isSecret
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          isRequired
          maxLength={256}
          error={fieldFailure(failure, 'auth.password')}
        />
      )}
      <CountriesField
        value={allowedCountries}
        onChange={(next) => typed.change({ allowedCountries: next })}
        error={asSentence(countryFailure?.message ?? null)}
      />
      <RadioGroup
        label={words.direction}
        {...control('direction')}
        options={DIRECTIONS.map((id) => ({ id, ...words.directions[id] }))}
      />
      <ProjectField
        label={phoneWords.project}
        wholeOrganization={phoneWords.wholeOrganization}
        {...control('projectId')}
      />
    </FormDialog>
  )
}
