import type { Project } from '@troupe/contract/builder'
import { FolderClosed } from 'lucide-react'
import { useState } from 'react'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Avatar, Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { flagParam } from '../../core/url/search-params.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useProjects } from '../../infrastructure/queries/use-whole-list.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { changedColumn } from '../../parts/lists/list-columns.tsx'
import { useCreateButton } from '../../parts/lists/use-create-button.tsx'
import { contentsText } from './project-contents.ts'
import { NewProjectDialog, RemoveProjectDialog, RenameProjectDialog } from './project-dialogs.tsx'
import { SettingsLayout } from './settings-layout.tsx'

const words = settingsWords.projects

const COLUMNS: readonly Column<Project>[] = [
  { id: 'name', title: words.name, width: '28%', cell: ({ name }) => <strong>{name}</strong> },
  { id: 'slug', title: words.slug, from: 'wider', cell: ({ slug }) => <code translate="no">{slug}</code> },
  { id: 'contents', title: words.holds, cell: ({ contents }) => contentsText(contents) || words.nothing },
  changedColumn(words.changed),
]

const leadOfRow = ({ projectId, name }: Project) => (
  <Avatar id={projectId} name={name} shape="square" size="small" />
)

type Question = { kind: 'rename' | 'remove'; project: Project }

/** Settings → Projects. */
export function ProjectsPage() {
  const { may } = usePlace()
  const [{ create }, setParams] = useSearchParams({ create: flagParam })
  const [question, setQuestion] = useState<Question | null>(null)
  const projects = useProjects()
  const asked = projects.data?.find(({ projectId }) => projectId === question?.project.projectId)
  const button = useCreateButton('manage', words.create, () => setParams({ create: true }, { push: true }))
  return (
    <SettingsLayout
      page="projects"
      detail={words.detail}
      width="wide"
      requests={[{ title: words.curl, operation: 'listProjects', input: {} }]}
      actions={button}
    >
      <AskedPanel
        asked={projects}
        failed={words.failed}
        waiting={<WaitingTable columns={COLUMNS} hasLead hasActions />}
      >
        {(data) => (
          <DataTable
            label={settingsWords.pages.projects}
            rows={data}
            columns={COLUMNS}
            idOf={({ projectId }) => projectId}
            nameOf={({ name }) => name}
            leadOf={leadOfRow}
            actionsOf={(project) => <ProjectActions project={project} onAsk={setQuestion} />}
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
        <RenameProjectDialog project={asked ?? question.project} onClose={() => setQuestion(null)} />
      )}
      {question?.kind === 'remove' && (
        <RemoveProjectDialog project={asked ?? question.project} onClose={() => setQuestion(null)} />
      )}
    </SettingsLayout>
  )
}

function ProjectActions({ project, onAsk }: { project: Project; onAsk: (question: Question) => void }) {
  const refused = useEntryRefusal('manage')
  const left = contentsText(project.contents)
  const entries = [
    { id: 'rename', label: words.rename, ...refused, onAction: () => onAsk({ kind: 'rename', project }) },
    {
      id: 'remove',
      label: words.remove,
      isDanger: true,
      ...(left === '' ? {} : { isDisabled: true, detail: words.removeLeft(left) }),
      ...refused,
      onAction: () => onAsk({ kind: 'remove', project }),
    },
  ]
  return <ActionMenu label={words.actions(project.name)} entries={entries} />
}
