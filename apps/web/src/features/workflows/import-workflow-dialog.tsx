import type { ImportedDraft } from '@troupe/contract/builder'
import { useMemo, useState } from 'react'
import { CodeField } from '../../atoms/code/code-field.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { type ReadFile, TextFileButton } from '../../atoms/controls/text-file.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { useIsSplit } from '../../atoms/overlays/use-is-split.ts'
import { draftFieldName } from '../../core/forms/field-name.ts'
import { moveWords } from '../../core/messages/en/parts/move.ts'
import { importWords as words } from '../../core/messages/en/workflows/importing.ts'
import { newWorkflowWords } from '../../core/messages/en/workflows/page.ts'
import { recogniseWorkflowFile } from '../../core/workflows/workflow-file.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ProjectField } from '../../parts/project-field/project-field.tsx'
import { NameAndProject } from '../../parts/templates/name-and-project.tsx'
import styles from './parts/button-row.module.css'
import { ImportReport } from './parts/import-report.tsx'
import { openOnCanvas } from './parts/open-on-canvas.ts'

const MAX_BYTES = 5_000_000
const MAX_NAME = 128
const FILES = ['.json', '.yaml', '.yml', 'application/json', 'application/yaml']

/** The server's reading of an export, and the text that it was read from. */
interface ReadExport {
  from: string
  imported: ImportedDraft
}

/** Creates a workflow from the JSON of another one, or from the export of another product after showing its report. */
export function ImportWorkflowDialog({ onClose }: { onClose(): void }) {
  const { paths, projectId: here } = usePlace()
  const goTo = useGoTo()
  const isSplit = useIsSplit()
  const typed = useTypedForm('workflow/import', { name: '', text: '', projectId: here })
  const { name, text, projectId } = typed.fields
  const [fault, setFault] = useState<string | null>(null)
  const [nameOfFile, setNameOfFile] = useState('')
  const [lastRead, setLastRead] = useState<ReadExport | null>(null)
  const create = useChange('createWorkflow', { refreshes: ['listWorkflows'] })
  const read = useChange('importWorkflow')
  const file = useMemo(() => recogniseWorkflowFile(text), [text])
  const imported = lastRead?.from === text ? lastRead.imported : null
  const mustRead = file.kind === 'foreign' && imported === null
  const draft = file.kind === 'graph' ? file.draft : (imported?.draft ?? null)
  const load = (chosen: ReadFile) => {
    setFault(chosen.fault === null ? null : words.faults[chosen.fault])
    if (chosen.text === null) return
    const ofFile = chosen.name.replace(/\.(?:json|ya?ml)$/i, '').slice(0, MAX_NAME)
    const isTyped = name !== '' && name !== nameOfFile
    setNameOfFile(ofFile)
    typed.change({ text: chosen.text, name: isTyped ? name : ofFile })
  }
  const readExport = async () => {
    const answer = await read.run({ body: { text } })
    if (!answer) return
    setLastRead({ from: text, imported: answer.answer })
    // The name in the export is better than the file name.
    if (name === '' || name === nameOfFile) typed.change({ name: answer.answer.name })
  }
  const submit = async () => {
    read.reset()
    create.reset()
    setFault(file.kind === 'unreadable' ? (file.fault ?? words.notJson) : null)
    if (mustRead) return readExport()
    if (draft === null) return
    const body = { name: name.trim(), draft, projectId: projectId ?? null }
    const made = await create.run({ body })
    if (!made) return
    typed.discard()
    openOnCanvas(isSplit)
    goTo(paths.workflow(made.answer.workflowId))
  }
  const draftErrors = create.failure?.errors.filter(({ path }) => path.startsWith('draft')) ?? []
  const shown = draftErrors
    .slice(0, 5)
    .map(({ path, message }) => `${draftFieldName(path, draft)} ${message}`)
  const textFault =
    fault ?? fieldFailure(read.failure, 'text') ?? (shown.length > 0 ? shown.join('; ') : null)
  const control = controlsOf(typed, create.failure)
  return (
    <FormDialog
      title={words.title}
      onClose={onClose}
      action={mustRead ? words.read : newWorkflowWords.action}
      onSubmit={submit}
      isPending={create.isPending || read.isPending}
      isComplete={text.trim() !== '' && (mustRead || name.trim() !== '')}
      failed={words.failed}
      failure={
        formFailure(read.failure, ['text']) ??
        formFailure(create.failure, ['name', 'projectId', ...draftErrors.map(({ path }) => path)])
      }
      typed={typed}
      width="wide"
    >
      <p className={styles.muted}>{words.detail}</p>
      <div>
        <TextFileButton accept={FILES} maxBytes={MAX_BYTES} onFile={load}>
          {words.file}
        </TextFileButton>
      </div>
      <NameAndProject>
        <TextField label={words.name} {...control('name')} autoFocus isRequired maxLength={MAX_NAME} />
        <ProjectField
          label={moveWords.project}
          wholeOrganization={moveWords.wholeOrganization}
          value={projectId ?? null}
          onChange={(next) => typed.change({ projectId: next })}
          error={fieldFailure(create.failure, 'projectId')}
        />
      </NameAndProject>
      {imported && <ImportReport imported={imported} />}
      <CodeField
        label={words.text}
        language={/^\s*[[{]/.test(text) ? 'json' : 'text'}
        value={text}
        onChange={(next) => typed.change({ text: next })}
        maxLines={imported ? 4 : 14}
        error={textFault}
      />
    </FormDialog>
  )
}
