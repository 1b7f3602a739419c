import type { Upload } from '@troupe/contract/builder'
import {
  FileArchive,
  FileAudio,
  File as FileIcon,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileVideo,
  type LucideIcon,
} from 'lucide-react'
import { useState } from 'react'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { KindTile } from '../../atoms/states/kind-tile.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { type FileSort, fileSort } from '../../core/files/file-type.ts'
import { byteSize } from '../../core/format/numbers.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { uploadWords as words } from '../../core/messages/en/settings/uploads.ts'
import type { OrganizationPaths } from '../../core/url/paths.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useKeysetOperation } from '../../infrastructure/queries/use-operation.ts'
import { useOperationUrl } from '../../infrastructure/queries/use-operation-url.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'
import { olderRows } from '../../parts/lists/older-rows.ts'
import { SettingsLayout } from './settings-layout.tsx'

const ICONS: Readonly<Record<FileSort, LucideIcon>> = {
  image: FileImage,
  audio: FileAudio,
  video: FileVideo,
  table: FileSpreadsheet,
  text: FileText,
  archive: FileArchive,
  other: FileIcon,
}

const leadOfRow = ({ contentType }: Upload) => (
  <KindTile kind="tool" icon={ICONS[fileSort(contentType)]} size="small" />
)

/** The content type is empty until the file has arrived. */
const stateOf = ({ contentType, usedAt }: Upload) =>
  usedAt !== null ? 'used' : contentType === '' ? 'arriving' : 'waiting'

const LOOKS = { arriving: 'running', waiting: 'queued', used: 'completed' } as const

const columnsWith = (paths: OrganizationPaths): readonly Column<Upload>[] => [
  {
    id: 'file',
    title: words.file,
    cell: ({ filename }) => <strong>{filename}</strong>,
    under: (upload) => (
      <>
        {words.states[stateOf(upload)]} · {byteSize(upload.sizeBytes)} · <MomentText at={upload.createdAt} />
      </>
    ),
  },
  {
    id: 'state',
    title: words.state,
    width: '136px',
    // On phones the name of the file has the room.
    from: 'wide',
    cell: (upload) => {
      const state = stateOf(upload)
      const status = <Status state={LOOKS[state]}>{words.states[state]}</Status>
      if (upload.executionId === null) return status
      return (
        <TextLink href={paths.run(upload.executionId)} look="plain">
          {status}
        </TextLink>
      )
    },
  },
  {
    id: 'workflow',
    title: words.workflow,
    width: '16%',
    from: 'wider',
    cell: ({ workflowId, workflowName }) => (
      <TextLink href={paths.workflow(workflowId)} look="plain">
        {workflowName}
      </TextLink>
    ),
  },
  { id: 'field', title: words.field, width: '112px', from: 'vast', cell: ({ field }) => field },
  {
    id: 'size',
    title: words.size,
    align: 'end',
    width: '88px',
    from: 'wide',
    cell: ({ sizeBytes }) => byteSize(sizeBytes),
  },
  {
    id: 'received',
    title: words.received,
    width: '128px',
    from: 'wide',
    cell: ({ createdAt }) => <MomentText at={createdAt} />,
  },
  {
    id: 'deleted',
    title: words.deleted,
    width: '112px',
    from: 'widest',
    cell: ({ deletedAt }) => <MomentText at={deletedAt} />,
  },
]

/** Settings → Uploads: files of forms, to download and to delete early. */
export function UploadsPage() {
  const [leaving, setLeaving] = useState<Upload | null>(null)
  const { paths, projectId } = usePlace()
  const narrowed = projectId === null ? {} : { projectId }
  const uploads = useKeysetOperation('listUploads', { query: { limit: 100, ...narrowed } })
  const columns = columnsWith(paths)
  return (
    <SettingsLayout
      page="uploads"
      detail={words.detail}
      width="wide"
      requests={[
        { title: words.curl, operation: 'listUploads', input: projectId === null ? {} : { query: narrowed } },
      ]}
    >
      <AskedPanel
        asked={uploads}
        failed={words.failed}
        waiting={<WaitingTable columns={columns} hasLead hasActions />}
      >
        {(rows) => (
          <DataTable
            label={settingsWords.pages.uploads}
            rows={rows}
            columns={columns}
            leadOf={leadOfRow}
            idOf={({ uploadId }) => uploadId}
            nameOf={({ filename }) => filename}
            actionsOf={(upload) => <UploadActions upload={upload} onDelete={setLeaving} />}
            isFormer={uploads.isFormer}
            {...olderRows(uploads, words.more)}
            empty={
              <Empty
                picture={<FileText size={22} />}
                title={projectId === null ? words.emptyTitle : words.emptyHereTitle}
              >
                {projectId === null ? words.empty : words.emptyHere}
              </Empty>
            }
          />
        )}
      </AskedPanel>
      {leaving && <DeleteUploadDialog upload={leaving} onClose={() => setLeaving(null)} />}
    </SettingsLayout>
  )
}

function UploadActions({ upload, onDelete }: { upload: Upload; onDelete(upload: Upload): void }) {
  const { paths } = usePlace()
  const refusedToManage = useEntryRefusal('manage')
  const urlOf = useOperationUrl()
  const { uploadId, filename, workflowId, executionId } = upload
  const entries = [
    { id: 'download', label: words.download, href: urlOf('getUploadContent', { params: { uploadId } }) },
    ...(executionId === null ? [] : [{ id: 'run', label: words.openRun, href: paths.run(executionId) }]),
    { id: 'workflow', label: words.openWorkflow, href: paths.workflow(workflowId) },
  ]
  const end = {
    id: 'delete',
    label: words.remove,
    isDanger: true,
    ...refusedToManage,
    onAction: () => onDelete(upload),
  }
  return (
    <ActionMenu
      label={words.actions(filename)}
      groups={[
        { id: 'open', entries },
        { id: 'end', entries: [end] },
      ]}
    />
  )
}

function DeleteUploadDialog({ upload, onClose }: { upload: Upload; onClose(): void }) {
  const { uploadId, filename } = upload
  return (
    <ConfirmChange
      operation="deleteUpload"
      input={{ params: { uploadId } }}
      refreshes={['listUploads']}
      title={words.removeTitle(filename)}
      action={words.removeAction}
      failed={words.removeFailed}
      done={words.removed(filename)}
      onClose={onClose}
    >
      <p>{words.removeDetail}</p>
    </ConfirmChange>
  )
}
