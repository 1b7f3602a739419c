import type { IdText, ProjectId } from '@troupe/contract'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { knowledgeWords } from '../../core/messages/en/resources/knowledge.ts'
import { knowledgeFieldWords as words } from '../../core/messages/en/resources/knowledge-fields.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoToMade } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ProjectField } from '../../parts/project-field/project-field.tsx'
import { BASE_PATHS, type BaseFields, SearchFields } from './knowledge-base-fields.tsx'

const START: BaseFields = {
  name: '',
  lang: 'english',
  embedding: null,
  chunk_tokens: 400,
  overlap_tokens: 60,
}

interface NewBase extends BaseFields {
  projectId: IdText<ProjectId> | null
}

/** Creates a knowledge base and opens it. */
export function NewBaseDialog({ onClose }: { onClose(): void }) {
  const { paths, projectId: here } = usePlace()
  const goToMade = useGoToMade()
  const typed = useTypedForm<NewBase>('knowledge-base/new', { ...START, projectId: here })
  const { projectId, ...base } = typed.fields
  const create = useChange('createKnowledgeBase', { refreshes: ['listKnowledgeBases'] })
  const submit = async () => {
    const { name, lang, embedding } = base
    const made = await create.run({ body: { name, lang, embedding, projectId } })
    if (!made) return
    typed.discard()
    goToMade(paths.knowledgeBase(made.answer.knowledgeBaseId))
  }
  return (
    <FormDialog
      title={knowledgeWords.create}
      onClose={onClose}
      action={knowledgeWords.createAction}
      onSubmit={submit}
      isPending={create.isPending}
      isComplete={base.name.trim() !== '' && base.embedding?.model_id !== ''}
      failed={knowledgeWords.createFailed}
      failure={formFailure(create.failure, BASE_PATHS)}
      typed={typed}
    >
      <TextField
        label={words.name}
        value={base.name}
        onChange={(name) => typed.change({ name })}
        autoFocus
        isRequired
        maxLength={128}
        error={fieldFailure(create.failure, 'name')}
      />
      <ProjectField
        label={words.project}
        description={projectId === null ? words.organizationDetail : words.projectDetail}
        wholeOrganization={words.wholeOrganization}
        value={projectId}
        onChange={(next) => typed.change({ projectId: next })}
      />
      <SearchFields value={base} onChange={typed.change} failure={create.failure} projectId={projectId} />
    </FormDialog>
  )
}
