import type { McpServerDetails } from '@troupe/builder-contract'
import { slugOf } from '@troupe/contract'
import { useState } from 'react'
import { Select } from '../../atoms/controls/select.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { ConflictDialog } from '../../atoms/overlays/conflict-dialog.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { relativeTime } from '../../core/format/times.ts'
import { pickerWords } from '../../core/messages/en/resources/pickers.ts'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import { isHostCovered } from '../../core/tools/is-host-covered.ts'
import { withSearch } from '../../core/url/paths.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import { ProjectField } from '../../parts/project-field/project-field.tsx'

const words = toolWords.servers
const PATHS = ['name', 'slug', 'projectId', 'url', 'credentialId']
const REFRESHES = ['listMcpServers', 'getMcpServer', 'listCredentials'] as const
const NONE = 'none'

export interface ServerDialogProps {
  /** null: a new one, which is opened and asked for its tools. */
  server: McpServerDetails | null
  onClose(): void
}

/** Registers or changes an MCP server. */
export function ServerDialog({ server, onClose }: ServerDialogProps) {
  const { paths, projectId: here } = usePlace()
  const goTo = useGoTo()
  const [name, setName] = useState(server?.name ?? '')
  const [url, setUrl] = useState(server?.url ?? '')
  const [credentialId, setCredentialId] = useState(server?.credential?.credentialId ?? null)
  const [projectId, setProjectId] = useState(server ? server.projectId : here)
  const create = useChange('createMcpServer', { refreshes: REFRESHES })
  const update = useChange('updateMcpServer', { refreshes: REFRESHES })
  const { failure } = server ? update : create
  const fields = { name, url: url.trim(), credentialId, projectId }
  const send = async (version: number) => {
    if (server) {
      const params = { mcpServerId: server.mcpServerId }
      if (!(await update.run({ params, body: { ...fields, version } }))) return
      showNotice({ title: words.changedNotice(name) })
      onClose()
      return
    }
    const made = await create.run({ body: { ...fields, slug: slugOf(name) } })
    if (made) goTo(withSearch(paths.mcpServer(made.answer.mcpServerId), { connect: '1' }))
  }
  const current = update.failure?.current ?? null
  return (
    <>
      <FormDialog
        title={server ? words.changeTitle(server.name) : words.create}
        onClose={onClose}
        action={server ? toolWords.save : words.createAction}
        onSubmit={() => send(server?.version ?? 1)}
        isPending={create.isPending || update.isPending}
        isComplete={name.trim() !== '' && url.trim() !== ''}
        failed={server ? words.changeFailed : words.createFailed}
        failure={current ? null : formFailure(failure, PATHS)}
      >
        <TextField
          label={toolWords.name}
          value={name}
          onChange={setName}
          autoFocus={server === null}
          isRequired
          maxLength={128}
          error={fieldFailure(failure, 'name') ?? fieldFailure(failure, 'slug')}
        />
        <TextField
          label={words.url}
          description={words.urlDetail}
          placeholder={words.urlPlaceholder}
          type="url"
          value={url}
          onChange={setUrl}
          isRequired
          maxLength={4_096}
          error={fieldFailure(failure, 'url')}
        />
        <ServerCredential
          value={credentialId}
          onChange={setCredentialId}
          url={url.trim()}
          projectId={projectId}
          error={fieldFailure(failure, 'credentialId')}
        />
        <ProjectField
          label={toolWords.project}
          wholeOrganization={toolWords.wholeOrganization}
          value={projectId}
          onChange={setProjectId}
          error={fieldFailure(failure, 'projectId')}
        />
      </FormDialog>
      <ConflictDialog
        isOpen={current !== null}
        onClose={update.reset}
        who={current?.changedBy?.name ?? null}
        when={current ? relativeTime(current.changedAt, Date.now()) : ''}
        what={toolWords.conflict.server}
        isPending={update.isPending}
        onTakeTheirs={onClose}
        onKeepMine={() => void send(current?.number ?? 1)}
      />
    </>
  )
}

interface ServerCredentialProps {
  value: string | null
  onChange(credentialId: string | null): void
  url: string
  projectId: string | null
  error: string | null
}

/** A server of the organization is used by agents of every project, so its credential is one of the organization. */
function ServerCredential({ value, onChange, url, projectId, error }: ServerCredentialProps) {
  const asked = useOperation('listCredentials', { query: { limit: 100, sort: 'name' } })
  const host = URL.canParse(url) ? new URL(url).hostname : null
  const listed = asked.data?.data ?? []
  const usable = listed.filter((one) => one.projectId === null || one.projectId === projectId)
  const chosen = listed.find(({ credentialId }) => credentialId === value)
  const isElsewhere = chosen !== undefined && host !== null && !isHostCovered(chosen.hosts, host)
  return (
    <Select
      label={words.credential}
      error={error ?? (isElsewhere ? pickerWords.credentials.otherHost(host) : null)}
      value={value ?? NONE}
      onChange={(id) => onChange(id === NONE ? null : id)}
      options={[
        { id: NONE, label: words.noCredential },
        ...usable.map(({ credentialId, name, hosts }) => ({
          id: credentialId,
          label: name,
          detail: pickerWords.credentials.hosts(hosts),
        })),
      ]}
    />
  )
}
