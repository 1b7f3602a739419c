import { isJsonObject } from '@troupe/contract'
import type { BuilderWorkflow, PublishPreview } from '@troupe/contract/builder'
import type { GraphNode } from '@troupe/graph'
import { useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { TextArea, TextField } from '../../../atoms/controls/text-field.tsx'
import { TextLink } from '../../../atoms/controls/text-link.tsx'
import { focusNext } from '../../../atoms/focus/focus-next.ts'
import { Card, FormLayout, Section } from '../../../atoms/layout/page.tsx'
import { ConfirmDialog } from '../../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { SendButton } from '../../../atoms/overlays/send-button.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { useSendingRefusal } from '../../../atoms/states/sending-refusal.ts'
import { publishWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { testCaseWords } from '../../../core/messages/en/workflows/test-cases.ts'
import { fieldFailure, formFailure } from '../../../infrastructure/client/field-failure.ts'
import { useDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { useKeys } from '../../../infrastructure/keys/use-keys.ts'
import { NAMES_USES } from '../../../infrastructure/queries/names-uses.ts'
import { useChange, useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { useDraftSession } from '../editing/use-draft-session.ts'
import { FindingList } from '../parts/finding-list.tsx'
import { OpenTests } from '../parts/open-tests.tsx'
import styles from './publish.module.css'
import { useTestsFirst } from './use-tests-first.ts'

interface VersionWords {
  label: string
  note: string
}

export interface PublishFormProps {
  workflow: BuilderWorkflow
  preview: PublishPreview
  /** The nodes of the draft. */
  nodes: readonly GraphNode[]
}

/** The label and note of the new version, and the publish of exactly the previewed draft. */
export function PublishForm({ workflow, preview, nodes }: PublishFormProps) {
  const { workflowId, versionNumber } = workflow
  const { draftRevision, findings, tests, callers } = preview
  const { may } = usePlace()
  const { formPassword } = preview.triggers
  const typed = useDraft<VersionWords>(`workflow/${workflowId}/publish`, isVersionWords)
  const { label, note } = typed.value ?? { label: '', note: '' }
  const [password, setPassword] = useState('')
  /** The problem that the user is asked about before the publish; null: none. */
  const [asking, setAsking] = useState<'tests' | 'errors' | null>(null)
  const publish = useChange('publishWorkflow', {
    refreshes: [
      'getWorkflow',
      'previewPublish',
      'listWorkflows',
      'listWorkflowVersions',
      'listWorkflowTimeline',
      'listSchedules',
      ...NAMES_USES,
    ],
  })
  const asked = useOperation('previewPublish', { params: { workflowId } })
  const blocks = findings.filter(({ severity }) => severity === 'block')
  const errors = findings.filter(({ severity }) => severity === 'error')
  const edit = (part: Partial<VersionWords>) => typed.edit({ label, note, ...part }, String(draftRevision))

  const session = useDraftSession(workflow)
  // The checked draft is published: after another save, the page checks again.
  const isSaved = session.status === 'saved' && session.revision <= draftRevision
  const send = async (ignoresTests = false) => {
    const sent = { label, note }
    const body = {
      draftRevision,
      ...(label.trim() === '' ? {} : { label: label.trim() }),
      ...(note.trim() === '' ? {} : { note }),
      ...(password === '' ? {} : { formPassword: password }),
      ...(ignoresTests && { ignoreTests: true }),
    }
    const done = await publish.run({ params: { workflowId }, body })
    if (!done) {
      // Changes made in the meantime are reviewed before they go live.
      asked.retry()
      setAsking(null)
      return
    }
    // Input during the publish is for the next version.
    typed.settle(sent, (value) => ({ value, base: String(draftRevision) }))
    showNotice({ title: words.done(done.answer.workflow.versionNumber) })
    focusNext(() => document.querySelector('[role="tabpanel"] h2[tabindex]'))
  }
  const offline = useSendingRefusal()
  const lacksPassword = formPassword === 'required' && password === ''
  const isBlocked = blocks.length > 0 || !isSaved || lacksPassword
  const proceed = () => (errors.length > 0 ? setAsking('errors') : void send())
  const first = useTestsFirst(workflow, (hasPassed) => {
    // Tests that have passed do not run again if the publish is asked about, and cancelled.
    asked.retry()
    if (hasPassed) return proceed()
    showNotice({ tone: 'bad', title: testCaseWords.failedFirst })
  })
  const stopTests = () => {
    first.stop()
    asked.retry()
  }
  const submit = () => {
    if (isBlocked || publish.isPending || first.isRunning || offline !== null) return
    if (tests.length > 0) first.run(tests.map(({ testCaseId }) => testCaseId))
    else proceed()
  }
  useKeys([{ keys: 'mod+enter', label: words.action, refusal: offline, run: submit }])
  const isConflict = publish.failure?.code === 'draft_conflict'
  return (
    <div className={styles.form}>
      <Section title={words.title}>
        <Card>
          <FormLayout
            label={words.title}
            onSubmit={submit}
            actions={
              <>
                {tests.length > 0 && may('manage') && !first.isRunning && (
                  <SendButton isDisabled={isBlocked} onPress={() => setAsking('tests')}>
                    {testCaseWords.ignore}
                  </SendButton>
                )}
                {first.isRunning && <Button onPress={stopTests}>{testCaseWords.stop}</Button>}
                <SendButton
                  emphasis="primary"
                  type="submit"
                  isPending={publish.isPending || first.isRunning}
                  isDisabled={isBlocked}
                >
                  {tests.length > 0
                    ? testCaseWords.runFirst(versionNumber + 1)
                    : words.actionVersion(versionNumber + 1)}
                </SendButton>
              </>
            }
          >
            {isConflict ? (
              <Callout tone="warn">{words.conflict}</Callout>
            ) : (
              <FailurePanel
                title={words.failedPublish}
                failure={formFailure(publish.failure, ['label', 'note', 'formPassword'])}
              />
            )}
            {blocks.length > 0 && <Callout tone="bad">{words.blocked(blocks.length)}</Callout>}
            {callers.some(({ breaks }) => breaks.length > 0) && <BrokenCallers callers={callers} />}
            {tests.length > 0 && <OpenTests workflowId={workflowId} tests={tests} />}
            {tests.length > 0 && !may('manage') && <p>{testCaseWords.onlyManagers}</p>}
            <FailurePanel title={testCaseWords.notRunFirst} failure={first.failure} />
            <p role="status" className={first.isRunning ? '' : 'visually-hidden'}>
              {first.isRunning && testCaseWords.runningFirst(first.left)}
            </p>
            <TextField
              label={words.label}
              description={words.labelDetail}
              value={label}
              onChange={(next) => edit({ label: next })}
              isOptional
              maxLength={128}
              error={fieldFailure(publish.failure, 'label')}
            />
            <TextArea
              label={words.note}
              description={words.noteDetail}
              value={note}
              onChange={(next) => edit({ note: next })}
              isOptional
              maxLength={10_000}
              error={fieldFailure(publish.failure, 'note')}
            />
            {formPassword !== 'none' && (
              <TextField
                label={words.password}
                isSecret
                autoComplete="new-password"
                description={formPassword === 'optional' ? words.passwordKept : null}
                value={password}
                onChange={setPassword}
                isRequired={formPassword === 'required'}
                isOptional={formPassword === 'optional'}
                error={fieldFailure(publish.failure, 'formPassword')}
              />
            )}
          </FormLayout>
        </Card>
      </Section>
      <ConfirmDialog
        isOpen={asking !== null}
        onClose={() => setAsking(null)}
        title={asking === 'tests' ? testCaseWords.ignoreTitle : words.confirmTitle}
        action={asking === 'tests' ? testCaseWords.ignoreAction : words.confirmAction}
        isDanger
        isPending={publish.isPending}
        onConfirm={() => void send(asking === 'tests')}
      >
        <div className={styles.confirm}>
          {asking === 'tests' && (
            <>
              <p>{testCaseWords.ignoreText}</p>
              <ul>
                {tests.map(({ testCaseId, name, message }) => (
                  <li key={testCaseId}>{testCaseWords.notPassedOne(name, message)}</li>
                ))}
              </ul>
            </>
          )}
          {errors.length > 0 && (
            <>
              <p>{words.confirmText}</p>
              <FindingList findings={errors} nodes={nodes} />
            </>
          )}
        </div>
      </ConfirmDialog>
    </div>
  )
}

/** Agents that refer to parts removed by the draft; the effects list the parts. */
function BrokenCallers({ callers }: Pick<PublishPreview, 'callers'>) {
  const { paths } = usePlace()
  const broken = callers.filter(({ breaks }) => breaks.length > 0)
  return (
    <Callout tone="warn">
      {words.callersBreak(broken.length)}{' '}
      {broken.map(({ agentId, name }, index) => (
        <span key={agentId}>
          {index > 0 && ', '}
          <TextLink href={paths.agent(agentId)}>{name}</TextLink>
        </span>
      ))}
    </Callout>
  )
}

function isVersionWords(value: unknown): value is VersionWords {
  return isJsonObject(value) && typeof value.label === 'string' && typeof value.note === 'string'
}
