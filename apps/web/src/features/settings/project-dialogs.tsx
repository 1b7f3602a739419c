import { slugOf } from '@troupe/contract'
import type { Project } from '@troupe/contract/builder'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { typedDifferences } from '../../core/forms/typed-fields.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useProjects } from '../../infrastructure/queries/use-whole-list.ts'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'
import { VersionConflict } from '../../parts/unsaved/version-conflict.tsx'

const words = settingsWords.projects

interface ProjectDialogProps {
  /** The current state in the list, so that a rename is based on the latest version. */
  project: Project
  onClose(): void
}

/** A new project. */
export function NewProjectDialog({ onClose }: Pick<ProjectDialogProps, 'onClose'>) {
  const typed = useTypedForm<{ name: string; slug: string | null }>('project/new', { name: '', slug: null })
  const { name, slug } = typed.fields
  const create = useChange('createProject', { refreshes: ['listProjects'] })
  const submit = async () => {
    if (!(await create.run({ body: { name, slug: slug ?? slugOf(name) } }))) return
    typed.discard()
    onClose()
  }
  const control = controlsOf(typed, create.failure)
  return (
    <FormDialog
      title={words.create}
      onClose={onClose}
      action={words.createAction}
      onSubmit={submit}
      isPending={create.isPending}
      failed={words.createFailed}
      failure={formFailure(create.failure, ['name', 'slug'])}
      typed={typed}
    >
      <TextField label={words.name} {...control('name')} autoFocus isRequired maxLength={128} />
      <TextField
        label={words.slug}
        description={words.slugDetail}
        isMono
        value={slug ?? slugOf(name)}
        onChange={(next) => typed.change({ slug: next })}
        error={fieldFailure(create.failure, 'slug')}
      />
    </FormDialog>
  )
}

/** The name and the slug of a project. */
export function RenameProjectDialog({ project, onClose }: ProjectDialogProps) {
  const { projectId, version } = project
  const typed = useTypedForm(`project/${projectId}`, { name: project.name, slug: project.slug })
  const { name, slug } = typed.fields
  const projects = useProjects()
  const rename = useChange('updateProject', { refreshes: ['listProjects'] })
  const close = () => {
    typed.discard()
    onClose()
  }
  const send = async (base: number) => {
    if (await rename.run({ params: { projectId }, body: { ...typed.changed, version: base } })) close()
    // Somebody else may have saved: the dialog shows the current differences.
    else projects.retry()
  }
  const isStale = (rename.failure?.current ?? null) !== null
  const control = controlsOf(typed, rename.failure)
  return (
    <>
      <FormDialog
        title={words.renameTitle(project.name)}
        onClose={onClose}
        action={words.save}
        onSubmit={() => send(version)}
        isPending={rename.isPending}
        isComplete={name.trim() !== '' && slug !== ''}
        failed={words.renameFailed}
        failure={isStale ? null : formFailure(rename.failure, ['name', 'slug'])}
        typed={typed}
      >
        <TextField label={words.name} {...control('name')} autoFocus maxLength={128} />
        <TextField label={words.slug} description={words.newSlugDetail} isMono {...control('slug')} />
      </FormDialog>
      <VersionConflict
        change={rename}
        what={words.noun}
        differences={typedDifferences(typed.changed, { name: project.name, slug: project.slug }, words)}
        onTakeTheirs={close}
        onKeepMine={send}
      />
    </>
  )
}

/** Confirms the deletion of an empty project. */
export function RemoveProjectDialog({ project, onClose }: ProjectDialogProps) {
  return (
    <ConfirmChange
      operation="deleteProject"
      input={{ params: { projectId: project.projectId } }}
      refreshes={['listProjects']}
      title={words.removeTitle(project.name)}
      action={words.removeAction}
      failed={words.removeFailed}
      done={words.removed(project.name)}
      onClose={onClose}
    >
      <p>{words.removeDetail}</p>
    </ConfirmChange>
  )
}
