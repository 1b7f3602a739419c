import type { Upload } from '@troupe/contract/builder'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { byteSize } from '../../core/format/numbers.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { uploadWords as words } from '../../core/messages/en/settings/uploads.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useKeysetOperation } from '../../infrastructure/queries/use-operation.ts'
import { useOperationUrl } from '../../infrastructure/queries/use-operation-url.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'
import { olderRows } from '../../parts/lists/older-rows.ts'
import { SettingsLayout } from './settings-layout.tsx'

const COLUMNS: readonly Column<Upload>[] = [
  {
    id: 'file',
    title: words.file,
    cell: ({ filename }) => <strong>{filename}</strong>,
    under: ({ createdAt }) => <MomentText at={createdAt} />,
  },
  { id: 'workflow', title: words.workflow, from: 'wider', cell: ({ workflowName }) => workflowName },
  { id: 'field', title: words.field, width: '120px', from: 'huge', cell: ({ field }) => field },
  {
    id: 'size',
    title: words.size,
    align: 'end',
    width: '88px',
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
    width: '128px',
    from: 'widest',
    cell: ({ deletedAt }) => <MomentText at={deletedAt} />,
  },
]

/** Settings → Uploads: files of forms, to download and to delete early. */
export function UploadsPage() {
  const [leaving, setLeaving] = useState<Upload | null>(null)
  const { projectId } = usePlace()
  const narrowed = projectId === null ? {} : { projectId }
  const uploads = useKeysetOperation('listUploads', { query: { limit: 100, ...narrowed } })
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
        waiting={<WaitingTable columns={COLUMNS} hasActions />}
      >
        {(rows) => (
          <DataTable
            label={settingsWords.pages.uploads}
            rows={rows}
            columns={COLUMNS}
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
