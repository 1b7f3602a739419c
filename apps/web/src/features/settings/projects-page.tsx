import type { Project } from '@troupe/builder-contract'
import { slugOf } from '@troupe/contract'
import { FolderClosed } from 'lucide-react'
import { useState } from 'react'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { flagParam } from '../../core/url/search-params.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import { contentsText } from './project-contents.ts'
import { SettingsLayout } from './settings-layout.tsx'

const words = settingsWords.projects

const COLUMNS: readonly Column<Project>[] = [
  { id: 'name', title: words.name, cell: ({ name }) => name },
  { id: 'slug', title: words.slug, from: 'wide', cell: ({ slug }) => <code>{slug}</code> },
  { id: 'contents', title: words.holds, cell: ({ contents }) => contentsText(contents) || words.nothing },
  {
    id: 'changed',
    title: words.changed,
    width: '136px',
    from: 'wide',
    cell: ({ updatedAt }) => <MomentText at={updatedAt} />,
  },
]

type Question = { kind: 'rename' | 'remove'; project: Project }

/** Settings → Projects. */
export function ProjectsPage() {
  const { may } = usePlace()
  const [{ create }, setParams] = useSearchParams({ create: flagParam })
  const [question, setQuestion] = useState<Question | null>(null)
  const projects = useOperation('listProjects', { query: { limit: 100, sort: 'name' } })
  const refusal = useRefusal('manage')
  const open = () => setParams({ create: true }, { push: true })
  useKeys([{ keys: 'c', label: words.create, run: () => may('manage') && open() }])
  const button = (
    <RefusableButton emphasis="primary" refusal={refusal} onPress={open}>
      {words.create}
    </RefusableButton>
  )
  return (
    <SettingsLayout
      page="projects"
      detail={words.detail}
      width="wide"
      requests={[{ title: words.curl, operation: 'listProjects', input: {} }]}
      actions={button}
    >
      <AskedPanel asked={projects} failed={words.failed}>
        {({ data, total }) => (
          <DataTable
            label={settingsWords.pages.projects}
            rows={data}
            total={total}
            columns={COLUMNS}
            idOf={({ projectId }) => projectId}
            nameOf={({ name }) => name}
            {...(may('manage')
              ? { actionsOf: (project: Project) => <ProjectActions project={project} onAsk={setQuestion} /> }
              : {})}
            empty={
              <Empty picture={<FolderClosed size={22} />} title={words.emptyTitle} actions={button}>
                {words.empty}
              </Empty>
            }
          />
        )}
      </AskedPanel>
      {create && may('manage') && <NewProjectDialog onClose={() => setParams({ create: false })} />}
      {question?.kind === 'rename' && (
        <RenameDialog project={question.project} onClose={() => setQuestion(null)} />
      )}
      {question?.kind === 'remove' && (
        <RemoveDialog project={question.project} onClose={() => setQuestion(null)} />
      )}
    </SettingsLayout>
  )
}

function ProjectActions({ project, onAsk }: { project: Project; onAsk: (question: Question) => void }) {
  const entries = [
    { id: 'rename', label: words.rename, onAction: () => onAsk({ kind: 'rename', project }) },
    {
      id: 'remove',
      label: words.remove,
      isDanger: true,
      isDisabled: contentsText(project.contents) !== '',
      onAction: () => onAsk({ kind: 'remove', project }),
    },
  ] as const
  return <ActionMenu label={words.actions(project.name)} groups={[{ id: 'project', entries }]} />
}

function NewProjectDialog({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('')
  const [slug, setSlug] = useState<string | null>(null)
  const create = useChange('createProject', { refreshes: ['listProjects'] })
  const submit = async () => {
    if (await create.run({ body: { name, slug: slug ?? slugOf(name) } })) onClose()
  }
  return (
    <FormDialog
      title={words.create}
      onClose={onClose}
      action={words.createAction}
      onSubmit={submit}
      isPending={create.isPending}
      failed={words.createFailed}
      failure={formFailure(create.failure, ['name', 'slug'])}
    >
      <TextField
        label={words.name}
        value={name}
        onChange={setName}
        autoFocus
        isRequired
        maxLength={128}
        error={fieldFailure(create.failure, 'name')}
      />
      <TextField
        label={words.slug}
        description={words.slugDetail}
        isMono
        value={slug ?? slugOf(name)}
        onChange={setSlug}
        error={fieldFailure(create.failure, 'slug')}
      />
    </FormDialog>
  )
}

function RenameDialog({ project, onClose }: { project: Project; onClose(): void }) {
  const [name, setName] = useState(project.name)
  const rename = useChange('updateProject', { refreshes: ['listProjects'] })
  const submit = async () => {
    const { projectId, version } = project
    if (await rename.run({ params: { projectId }, body: { name, version } })) onClose()
  }
  return (
    <FormDialog
      title={words.renameTitle(project.name)}
      onClose={onClose}
      action={words.save}
      onSubmit={submit}
      isPending={rename.isPending}
      failed={words.renameFailed}
      failure={formFailure(rename.failure, ['name'])}
    >
      <TextField
        label={words.name}
        value={name}
        onChange={setName}
        autoFocus
        maxLength={128}
        error={fieldFailure(rename.failure, 'name')}
      />
    </FormDialog>
  )
}

function RemoveDialog({ project, onClose }: { project: Project; onClose(): void }) {
  const remove = useChange('deleteProject', { refreshes: ['listProjects'] })
  const confirm = async () => {
    if (!(await remove.run({ params: { projectId: project.projectId } }))) return
    showNotice({ title: words.removed(project.name) })
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.removeTitle(project.name)}
      action={words.removeAction}
      isDanger
      isPending={remove.isPending}
      failed={words.removeFailed}
      failure={remove.failure}
      onConfirm={confirm}
    >
      <p>{words.removeDetail}</p>
    </ConfirmDialog>
  )
}
