import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { Graph, GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { Pin as PinIcon } from 'lucide-react'
import { useState } from 'react'
import { CodeBlock, CodeField } from '../../../atoms/code/code-field.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { Section } from '../../../atoms/layout/page.tsx'
import { FormDialog } from '../../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { readTypedJson } from '../../../core/forms/typed-json.ts'
import { HANDLE_WORDS } from '../../../core/messages/en/workflows/handle-words.ts'
import { pinWords as words } from '../../../core/messages/en/workflows/pins.ts'
import { asJson } from '../../../core/workflows/node-settings.ts'
import { fieldFailure, formFailure } from '../../../infrastructure/client/field-failure.ts'
import { useTypedForm } from '../../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { useDraftSession } from '../editing/use-draft-session.ts'
import styles from './pins.module.css'
import { usePins } from './use-pins.ts'

export interface StepPinProps {
  workflow: BuilderWorkflow
  graph: Graph
  node: GraphNode
}

/** The pinned output of a step of the draft, with an action to pin one. */
export function StepPin({ workflow, graph, node }: StepPinProps) {
  const { workflowId } = workflow
  const refusal = useRefusal('build')
  const shown = usePins(workflowId, graph).get(node.id)
  const [isEditing, setEditing] = useState(false)
  const remove = useChange('removePin', { refreshes: ['listPins'] })
  const role = NODE_TYPES.get(node.type)?.role
  if (role === undefined || role === 'trigger' || role === 'note') return null
  return (
    <Section title={words.title} detail={shown ? words.detail : words.none}>
      {shown?.isOlder && (
        <p>
          <Badge tone="warn">{words.older}</Badge> {words.olderDetail}
        </p>
      )}
      {shown && <CodeBlock label={words.output} text={JSON.stringify(shown.pin.output ?? null, null, 2)} />}
      <FailurePanel title={words.removeFailed} failure={remove.failure} />
      <div className={styles.buttons}>
        <RefusableButton
          size="small"
          icon={<PinIcon size={14} />}
          refusal={refusal}
          onPress={() => setEditing(true)}
        >
          {shown ? words.edit : words.pin}
        </RefusableButton>
        {shown && (
          <RefusableButton
            size="small"
            refusal={refusal}
            isPending={remove.isPending}
            onPress={() => void remove.run({ params: { workflowId, nodeId: node.id } })}
          >
            {words.remove}
          </RefusableButton>
        )}
      </div>
      {isEditing && (
        <PinDialog {...{ workflow, node }} start={shown?.pin ?? null} onClose={() => setEditing(false)} />
      )}
    </Section>
  )
}

interface PinDialogProps extends Omit<StepPinProps, 'graph'> {
  /** The initial value of the fields; null: empty. */
  start: { output: unknown; handles?: readonly string[] | null } | null
  onClose(): void
}

/** Pins a typed output. */
export function PinDialog({ workflow, node, start, onClose }: PinDialogProps) {
  const { workflowId } = workflow
  const session = useDraftSession(workflow)
  const definition = NODE_TYPES.get(node.type)
  const ways = definition?.role === 'loop' ? [] : (definition?.handles(node.config) ?? [])
  const typed = useTypedForm(`pin/${workflowId}/${node.id}`, {
    text: start ? asJson(start.output ?? null) : '',
    way: start?.handles?.[0] ?? ways[0] ?? '',
  })
  const { text, way } = typed.fields
  const value = readTypedJson(text)
  const set = useChange('setPin', { refreshes: ['listPins'] })
  const submit = async () => {
    // An unsaved step is not in the server's draft yet.
    if (!value.ok) return
    if ((await session.settled()) !== 'saved') {
      showNotice({ tone: 'bad', title: words.failed, detail: words.unsavedDraft })
      return
    }
    const body = { output: value.value, handles: ways.length > 1 ? [way] : null }
    if (!(await set.run({ params: { workflowId, nodeId: node.id }, body }))) return
    typed.discard()
    onClose()
  }
  return (
    <FormDialog
      title={words.editTitle(node.name)}
      onClose={onClose}
      action={words.save}
      onSubmit={submit}
      isPending={set.isPending}
      isComplete={value.ok}
      failed={words.failed}
      failure={formFailure(set.failure, ['output'])}
      typed={typed}
    >
      <CodeField
        label={words.output}
        description={words.outputDetail}
        language="json"
        value={text}
        onChange={(next) => typed.change({ text: next })}
        minLines={4}
        maxLines={16}
        error={value.ok || text === '' ? fieldFailure(set.failure, 'output') : (value.fault ?? words.notJson)}
      />
      {ways.length > 1 && (
        <Select
          label={words.way}
          value={way}
          onChange={(next) => typed.change({ way: next })}
          options={ways.map((id) => ({ id, label: HANDLE_WORDS[id] ?? id }))}
        />
      )}
    </FormDialog>
  )
}
