import type { PhoneTrunk } from '@troupe/contract/builder'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { CopyField } from '../../atoms/controls/copy-field.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { FootBar } from '../../atoms/layout/foot-bar.tsx'
import { Card, FormLayout, Section } from '../../atoms/layout/page.tsx'
import { sectionPlace } from '../../atoms/layout/section-list.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { ContestedNote } from '../../atoms/states/contested-note.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { RestoredNote } from '../../atoms/states/restored-note.tsx'
import { asSentence } from '../../core/format/sentence.ts'
import { typedDifferences } from '../../core/forms/typed-fields.ts'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { type TrunkFields, trunkBodyOf, trunkFieldsOf } from '../../core/phone/trunk-fields.ts'
import { changedTrunkSections, type TrunkSection } from '../../core/phone/trunk-sections.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import { errorBelow, formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsWith } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { showSetting } from '../../parts/config-form/show-setting.ts'
import { useRenameKey } from '../../parts/config-form/use-rename-key.ts'
import { ProjectField } from '../../parts/project-field/project-field.tsx'
import { useSaveKey } from '../../parts/unsaved/use-save-key.ts'
import { VersionConflict } from '../../parts/unsaved/version-conflict.tsx'
import styles from './phone.module.css'
import { AdvancedFields } from './trunk-form-advanced.tsx'
import { ConnectionFields } from './trunk-form-connection.tsx'
import { CallLimitFields, DestinationFields } from './trunk-form-limits.tsx'
import type { TrunkFormParts } from './trunk-form-parts.ts'

const words = phoneWords.fields

export interface TrunkFormProps {
  trunk: PhoneTrunk
  /** Reloads the stored trunk. */
  onAskAgain(): void
  /** Called when the sections are rendered, and when others have unsaved changes. */
  onChanged(sections: readonly TrunkSection[]): void
}

/** Every setting of a trunk. A save sends the complete trunk, merged with colleagues' concurrent saves. */
export function TrunkForm({ trunk, onAskAgain, onChanged }: TrunkFormProps) {
  const stored = trunkFieldsOf(trunk)
  const typed = useTypedForm<TrunkFields>(`phone-trunk/${trunk.trunkId}`, stored)
  // Secrets are not stored. null: the stored one is kept.
  const [password, setPassword] = useState<string | null>(null)
  const save = useChange('updatePhoneTrunk', { refreshes: ['listPhoneTrunks'] })
  const { fields } = typed
  useRenameKey(null, () => showSetting('name'))
  const isStale = (save.failure?.current ?? null) !== null
  const body = trunkBodyOf(fields, password ?? '', trunk.version)
  // A stored password is only used for its address.
  const isStored = trunk.hasPassword && fields.address.trim().toLowerCase() === trunk.address.toLowerCase()
  const needsPassword = fields.authUsername.trim() !== '' && !isStored && (password ?? '') === ''
  const isComplete =
    body !== null && fields.name.trim() !== '' && fields.address.trim() !== '' && !needsPassword
  const isChanged = typed.isChanged || (password ?? '') !== ''
  const changedSections = changedTrunkSections(typed.changed, (password ?? '') !== '')
  const report = useRef(onChanged)
  report.current = onChanged
  // biome-ignore lint/correctness/useExhaustiveDependencies: the array is new in every render
  useEffect(() => report.current(changedSections), [changedSections.join()])
  const discard = () => {
    typed.discard()
    setPassword(null)
    save.reset()
  }
  const send = async (version: number) => {
    if (body === null) return
    const saved = await save.run({ params: { trunkId: trunk.trunkId }, body: { ...body, version } })
    // Somebody else saved in the meantime: the next request keeps their other changes.
    if (!saved) return onAskAgain()
    typed.settle()
    setPassword((now) => (now === password ? null : now))
    showNotice({ title: phoneWords.trunks.savedNotice(saved.answer.name) })
  }
  const isSavable = isComplete && isChanged
  useSaveKey(null, () => isSavable && !save.isPending && void send(trunk.version))
  const fault = (path: string) => faultBelow(save.failure, path)
  const parts: TrunkFormParts = {
    fields,
    change: typed.change,
    control: controlsWith(typed, fault),
    fault,
  }
  return (
    <>
      <FormLayout label={phoneWords.trunks.settings} onSubmit={() => void send(trunk.version)}>
        <RestoredNote typed={typed} />
        <ContestedNote fields={typed.contested.map((field) => LABELS[field])} onTakeTheirs={typed.discard} />
        <ConnectionFields
          {...parts}
          isStored={isStored}
          hasMoved={trunk.hasPassword && !isStored}
          password={password}
          onPassword={setPassword}
        />
        <DestinationFields {...parts} />
        <CallLimitFields {...parts} />
        <Section id={sectionPlace('advanced')} title={words.advanced}>
          <Card>
            <AdvancedFields {...parts} />
            <div className={styles.pair}>
              <TextField
                label={phoneWords.slug}
                description={phoneWords.slugDetail}
                {...parts.control('slug')}
                isMono
                maxLength={64}
              />
              <ProjectField
                label={phoneWords.project}
                wholeOrganization={phoneWords.wholeOrganization}
                {...parts.control('projectId')}
              />
            </div>
            <CopyField label={phoneWords.id} text={trunk.trunkId} />
          </Card>
        </Section>
        {(isChanged || save.failure) && (
          <FootBar className={styles.foot}>
            <FailurePanel
              title={phoneWords.trunks.saveFailed}
              failure={isStale ? null : formFailure(save.failure, shownPaths(save.failure))}
            />
            <div className={styles.footLine}>
              <SendButton emphasis="primary" type="submit" isPending={save.isPending} isDisabled={!isSavable}>
                {phoneWords.save}
              </SendButton>
              <Button onPress={discard} isDisabled={save.isPending}>
                {phoneWords.discard}
              </Button>
            </div>
          </FootBar>
        )}
      </FormLayout>
      <VersionConflict
        change={save}
        what={phoneWords.trunks.conflict}
        differences={typedDifferences(typed.changed, stored, LABELS)}
        onTakeTheirs={() => {
          discard()
          onAskAgain()
        }}
        // The body is based on this version: an older one than the conflict's would revert the other change.
        onKeepMine={() => void send(trunk.version)}
      />
    </>
  )
}

const LABELS: Readonly<Record<keyof TrunkFields, string>> = {
  ...words,
  slug: phoneWords.slug,
  projectId: phoneWords.project,
  quietHours: words.quiet,
}

/** Names in the body whose errors are beside a field; `auth` is two fields. */
const PARTS = [...Object.keys(LABELS), 'auth']

function faultBelow(failure: CallFailure | null, path: string): string | null {
  return asSentence(errorBelow(failure, path)?.message ?? null)
}

function shownPaths(failure: CallFailure | null): string[] {
  const paths = failure?.errors.map(({ path }) => path) ?? []
  return paths.filter((path) => PARTS.includes(path.split('.')[0] ?? ''))
}
