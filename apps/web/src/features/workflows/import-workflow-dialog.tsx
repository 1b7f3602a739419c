import { isJsonObject } from '@troupe/contract'
import { useState } from 'react'
import { CodeField } from '../../atoms/code/code-field.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { type ReadFile, TextFileButton } from '../../atoms/controls/text-file.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { draftFieldName } from '../../core/forms/field-name.ts'
import { readTypedJson } from '../../core/forms/typed-json.ts'
import { newWorkflowWords as words } from '../../core/messages/en/workflows/page.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

const MAX_BYTES = 5_000_000

/** Makes a workflow of the JSON of another one. */
export function ImportWorkflowDialog({ onClose }: { onClose(): void }) {
  const { paths, projectId } = usePlace()
  const goTo = useGoTo()
  const typed = useTypedForm('workflow/import', { name: '', text: '' })
  const { name, text } = typed.fields
  const [fault, setFault] = useState<string | null>(null)
  const create = useChange('createWorkflow', { refreshes: ['listWorkflows'] })
  const load = (file: ReadFile) => {
    setFault(file.fault === null ? null : words.faults[file.fault])
    if (file.text === null) return
    const ofFile = file.name.replace(/\.json$/i, '').slice(0, 128)
    typed.change({ text: file.text, name: name === '' ? ofFile : name })
  }
  const submit = async () => {
    const { draft, fault: found } = readDraftText(text)
    setFault(found)
    if (draft === null) return
    const body = { name: name.trim(), draft, ...(projectId ? { projectId } : {}) }
    const made = await create.run({ body })
    if (!made) return
    typed.discard()
    goTo(paths.workflow(made.answer.workflowId))
  }
  const draftErrors = create.failure?.errors.filter(({ path }) => path.startsWith('draft')) ?? []
  const sent = create.failure === null ? null : readDraftText(text).draft
  const shown = draftErrors.slice(0, 5).map(({ path, message }) => `${draftFieldName(path, sent)} ${message}`)
  return (
    <FormDialog
      title={words.importTitle}
      onClose={onClose}
      action={words.importAction}
      onSubmit={submit}
      isPending={create.isPending}
      isComplete={name.trim() !== '' && text.trim() !== ''}
      failed={words.importFailed}
      failure={formFailure(create.failure, ['name', ...draftErrors.map(({ path }) => path)])}
      typed={typed}
    >
      <p>{words.importDetail}</p>
      <TextField
        label={words.name}
        value={name}
        onChange={(next) => typed.change({ name: next })}
        autoFocus
        isRequired
        maxLength={128}
        error={fieldFailure(create.failure, 'name')}
      />
      <TextFileButton accept={['.json', 'application/json']} maxBytes={MAX_BYTES} onFile={load}>
        {words.file}
      </TextFileButton>
      <CodeField
        label={words.graph}
        language="json"
        value={text}
        onChange={(next) => typed.change({ text: next })}
        maxLines={14}
        error={fault ?? (shown.length > 0 ? shown.join('; ') : null)}
      />
    </FormDialog>
  )
}

/** A graph, or a whole workflow that has one as its draft. */
function readDraftText(text: string): { draft: Record<string, unknown> | null; fault: string | null } {
  const read = readTypedJson(text)
  if (!read.ok) return { draft: null, fault: read.fault ?? words.notJson }
  const { value } = read
  const graph = isJsonObject(value) && isJsonObject(value.draft) ? value.draft : value
  const isGraph = isJsonObject(graph) && Array.isArray(graph.nodes) && Array.isArray(graph.edges)
  return isGraph ? { draft: graph, fault: null } : { draft: null, fault: words.noGraph }
}
