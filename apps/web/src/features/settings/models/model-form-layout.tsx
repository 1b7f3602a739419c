import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { focusFaulty } from '../../../atoms/focus/focus-faulty.ts'
import { FootBar } from '../../../atoms/layout/foot-bar.tsx'
import { ConfirmDialog } from '../../../atoms/overlays/confirm-dialog.tsx'
import { SendButton } from '../../../atoms/overlays/send-button.tsx'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { DraftMark } from '../../../atoms/states/badge.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout, Skeleton } from '../../../atoms/states/panels.tsx'
import { useSendingRefusal } from '../../../atoms/states/sending-refusal.ts'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import { formFailure } from '../../../infrastructure/client/field-failure.ts'
import { useKeys } from '../../../infrastructure/keys/use-keys.ts'
import { useLeaveGuard } from '../../../infrastructure/routing/leave-guard.ts'
import { LeaveQuestion } from '../../../parts/unsaved/leave-question.tsx'
import { ConnectionSection } from './connection-section.tsx'
import { IdentitySection } from './identity-section.tsx'
import styles from './models.module.css'
import { ModelsSection } from './models-section.tsx'
import { TestSection } from './test-section.tsx'
import type { ModelForm } from './use-model-form.ts'

const ModelConflict = lazyPart(async () => (await import('./model-conflict.tsx')).ModelConflict)

export interface ModelFormLayoutProps {
  form: ModelForm
  onSave(version?: number, isJoined?: boolean): void
  /** Reloads the stored version. */
  onAskAgain(): void
  /** Between the fields and the save button. */
  children?: ReactNode
}

/**
 * The parts of the form with its save button at the bottom. Enter in a field does not save: a save changes the configuration of running
 * agents.
 */
export function ModelFormLayout({ form, onSave, onAskAgain, children }: ModelFormLayoutProps) {
  const { stored, save, isChanged, isRestored } = form
  const isNew = stored === null
  const isSavable = (isChanged || isNew) && !save.isPending
  const offline = useSendingRefusal()
  const held = useLeaveGuard(form.hasTypedSecret)
  useKeys([{ keys: 'mod+s', label: words.saveKey, refusal: offline, run: () => isSavable && onSave() }])
  if (form.isLoading) return <Skeleton lines={10} />
  const current = save.failure?.current ?? null
  const { faults } = form
  // Errors that are or were shown at a field are not repeated.
  const told = save.failure?.errors.map(({ path }) => path) ?? []
  const failure = save.failure?.code === 'slug_taken' ? null : formFailure(save.failure, told)
  return (
    <>
      {isRestored && (
        <Callout tone="info">
          {form.provider.credentials.length > 0 ? words.secretsForgotten : words.restored}
        </Callout>
      )}
      <ConnectionSection form={form} />
      <ModelsSection form={form} />
      <TestSection form={form} />
      <IdentitySection form={form} />
      {children}
      <SaveFoot form={form} isSavable={isSavable} onSave={() => onSave()}>
        {current === null && (
          <FailurePanel title={isNew ? words.createFailed : words.saveFailed} failure={failure} />
        )}
        {faults.length > 0 && <Callout tone="bad">{words.fieldsWrong(faults.length)}</Callout>}
      </SaveFoot>
      <LeaveQuestion held={held} title={words.leaveTitle} action={words.leaveAction}>
        {words.leaveDetail}
      </LeaveQuestion>
      <Suspense>
        {stored && current && <ModelConflict form={form} onSave={onSave} onAskAgain={onAskAgain} />}
      </Suspense>
    </>
  )
}

interface SaveFootProps {
  form: ModelForm
  isSavable: boolean
  onSave(): void
  children: ReactNode
}

function SaveFoot({ form, isSavable, onSave, children }: SaveFootProps) {
  const [isAsking, setAsking] = useState(false)
  const { stored, save, isChanged, refusals } = form
  const foot = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (refusals > 0) focusFaulty(foot.current?.parentElement ?? null)
  }, [refusals])
  if (stored !== null && !isChanged) return null
  return (
    <FootBar bar={foot} className={styles.foot}>
      {children}
      <div className={styles.footLine}>
        <SendButton emphasis="primary" isPending={save.isPending} isDisabled={!isSavable} onPress={onSave}>
          {stored === null ? words.createAction : words.save}
        </SendButton>
        {isChanged && (
          <>
            <Button onPress={() => setAsking(true)} isDisabled={save.isPending}>
              {words.discard}
            </Button>
            <DraftMark>{words.unsaved}</DraftMark>
          </>
        )}
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.discardTitle}
        action={words.discard}
        isDanger
        onConfirm={() => {
          form.discard()
          setAsking(false)
        }}
      >
        <p>{words.discardDetail}</p>
      </ConfirmDialog>
    </FootBar>
  )
}
