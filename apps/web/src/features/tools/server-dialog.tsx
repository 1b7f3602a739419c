import type { CredentialId, IdText, ProjectId } from '@troupe/contract'
import type { Credential, McpServerDetails } from '@troupe/contract/builder'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { typedDifferences } from '../../core/forms/typed-fields.ts'
import { pickerWords } from '../../core/messages/en/resources/pickers.ts'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import { isHostCovered } from '../../core/tools/is-host-covered.ts'
import { withSearch } from '../../core/url/paths.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { withFreeSlug } from '../../infrastructure/queries/with-free-slug.ts'
import { useGoToMade } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { SearchPicker } from '../../parts/pickers/search-picker.tsx'
import { CREDENTIALS } from '../../parts/pickers/searched-lists.ts'
import { type Choices, useChoices } from '../../parts/pickers/use-choices.ts'
import { ProjectField } from '../../parts/project-field/project-field.tsx'
import { useSyncedForm } from '../../parts/unsaved/use-synced-form.ts'
import { VersionConflict } from '../../parts/unsaved/version-conflict.tsx'

const words = toolWords.servers
const PATHS = ['name', 'slug', 'projectId', 'url', 'credentialId']
const REFRESHES = ['listMcpServers', 'getMcpServer', 'listCredentials'] as const

export interface ServerDialogProps {
  /** null: a new one, which is opened and refreshed. */
  server: McpServerDetails | null
  onClose(): void
  /** Reloads the stored server. */
  onAskAgain?(): void
  /** A changed address or credential was saved: the known tools are outdated. */
  onMoved?(): void
}

/** Registers or changes an MCP server. */
export function ServerDialog({ server, onClose, onAskAgain, onMoved }: ServerDialogProps) {
  const { paths, projectId: here } = usePlace()
  const goToMade = useGoToMade()
  const stored = {
    name: server?.name ?? '',
    url: server?.url ?? '',
    credentialId: server?.credential?.credentialId ?? null,
    projectId: server ? server.projectId : here,
  }
  const typed = useSyncedForm(
    `mcp-server/${server?.mcpServerId ?? 'new'}`,
    stored,
    server && { kind: 'mcp_server', id: server.mcpServerId },
  )
  const { name, url, credentialId, projectId } = typed.fields
  const credentials = useChoices(
    CREDENTIALS,
    [stored.credentialId, credentialId].filter((id) => id !== null),
  )
  const create = useChange('createMcpServer', { refreshes: REFRESHES })
  const update = useChange('updateMcpServer', { refreshes: REFRESHES })
  const { failure } = server ? update : create
  const close = () => {
    typed.discard()
    onClose()
  }
  const send = async (version: number) => {
    if (server) {
      const params = { mcpServerId: server.mcpServerId }
      const { changed } = typed
      const address = changed.url === undefined ? {} : { url: changed.url.trim() }
      if (!(await update.run({ params, body: { ...changed, ...address, version } }))) return onAskAgain?.()
      showNotice({ title: words.changedNotice(name) })
      close()
      if (changed.url !== undefined || changed.credentialId !== undefined) onMoved?.()
      return
    }
    const body = { name, url: url.trim(), credentialId, projectId }
    const made = await withFreeSlug({ name, fallback: 'server' }, (slug, onFailure) =>
      create.run({ body: { slug, ...body } }, onFailure),
    )
    if (!made) return
    typed.discard()
    goToMade(withSearch(paths.mcpServer(made.answer.mcpServerId), { connect: '1' }))
  }
  const isStale = (update.failure?.current ?? null) !== null
  const control = controlsOf(typed, failure)
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
        failure={isStale ? null : formFailure(failure, PATHS)}
        typed={typed}
      >
        <TextField
          label={toolWords.name}
          value={name}
          onChange={(next) => typed.change({ name: next })}
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
          {...control('url')}
          isRequired
          maxLength={4_096}
        />
        <ServerCredential
          credentials={credentials}
          {...control('credentialId')}
          url={url.trim()}
          projectId={projectId}
        />
        <ProjectField
          label={toolWords.project}
          wholeOrganization={toolWords.wholeOrganization}
          {...control('projectId')}
        />
      </FormDialog>
      <VersionConflict
        change={update}
        what={toolWords.conflict.server}
        differences={typedDifferences(typed.changed, stored, LABELS)}
        names={new Map(credentials.known.map((one) => [one.credentialId, one.name]))}
        onTakeTheirs={close}
        onKeepMine={send}
      />
    </>
  )
}

const LABELS = {
  name: toolWords.name,
  url: words.url,
  credentialId: words.credential,
  projectId: toolWords.project,
}

interface ServerCredentialProps {
  credentials: Choices<Credential>
  value: string | null
  onChange(credentialId: IdText<CredentialId> | null): void
  url: string
  projectId: IdText<ProjectId> | null
  error: string | null
}

/** A server of the organization is used by agents of every project, so its credential must belong to the organization. */
function ServerCredential(props: ServerCredentialProps) {
  const { credentials, value, onChange, url, projectId, error } = props
  const host = URL.canParse(url) ? new URL(url).hostname : null
  const usable = credentials.found.filter((one) => one.projectId === null || one.projectId === projectId)
  const chosen = value === null ? undefined : credentials.thing(value)
  const isElsewhere = chosen !== undefined && host !== null && !isHostCovered(chosen.hosts, host)
  return (
    <SearchPicker
      label={words.credential}
      error={error ?? (isElsewhere ? pickerWords.credentials.otherHost(host) : null)}
      isOptional
      placeholder={words.noCredential}
      value={value}
      name={chosen?.name ?? null}
      onType={credentials.onType}
      isSearching={credentials.isSearching}
      onChange={onChange}
      options={usable.map(({ credentialId, name, hosts }) => ({
        id: credentialId,
        label: name,
        detail: pickerWords.credentials.hosts(hosts),
      }))}
    />
  )
}
