import type { CredentialId, IdText } from '@troupe/contract'
import type { Credential } from '@troupe/contract/builder'
import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import { storedSecretText } from '../../core/tools/stored-secret.ts'
import { LIST_PARAMS, listQuery } from '../../core/url/list-params.ts'
import { optionalParam } from '../../core/url/search-params.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useHrefWith, useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { changedColumn, namesText } from '../../parts/lists/list-columns.tsx'
import { turningOf } from '../../parts/lists/turning.ts'
import { MovableTable } from '../../parts/move-things/movable-table.tsx'
import { DeleteCredentialDialog } from './delete-dialogs.tsx'

const CredentialDialog = lazyPart(async () => (await import('./credential-dialog.tsx')).CredentialDialog)

const words = toolWords.credentials

const COLUMNS: readonly Column<Credential>[] = [
  {
    id: 'name',
    title: words.columns.name,
    width: '28%',
    isSortable: true,
    cell: ({ name }) => <strong>{name}</strong>,
  },
  {
    id: 'kind',
    title: words.columns.kind,
    from: 'wider',
    cell: ({ kind, field }) => field ?? words.kinds[kind].label,
  },
  { id: 'hosts', title: words.columns.hosts, cell: ({ hosts }) => hosts.join(', ') },
  {
    id: 'secret',
    title: words.columns.secret,
    width: '96px',
    from: 'wide',
    cell: ({ hint }) => storedSecretText(hint, words.isSet),
  },
  {
    id: 'used',
    title: toolWords.usedBy,
    from: 'huge',
    cell: ({ usedBy }) => namesText(usedBy),
  },
  changedColumn(toolWords.changed, 'wider'),
]

const PARAMS = { ...LIST_PARAMS, credential: optionalParam }

const idOfCredential = ({ credentialId }: Credential) => credentialId

/** The credentials for tools. */
export function CredentialsTab({ create }: { create: ReactNode }) {
  const { projectId, may } = usePlace()
  const refused = useEntryRefusal('manage')
  const [params, setParams] = useSearchParams(PARAMS)
  const hrefWith = useHrefWith(PARAMS)
  const { q, sort, page, credential: opened } = params
  const [removed, setRemoved] = useState<Credential | null>(null)
  const mayChange = may('manage')
  const credentials = useOperation('listCredentials', { query: listQuery(params, projectId) })
  return (
    <>
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })} />
      <MovableTable
        kind="credential"
        asked={credentials}
        words={{ ...words, noneTitle: toolWords.noneTitle }}
        label={toolWords.tabs.credentials}
        columns={COLUMNS}
        idOf={idOfCredential}
        nameOf={({ name }) => name}
        hasTiles
        hrefOf={({ credentialId }) => (mayChange ? hrefWith({ credential: credentialId }) : undefined)}
        {...turningOf({ sort, page }, setParams)}
        actionsOf={(credential) => (
          <ActionMenu
            label={toolWords.actions(credential.name)}
            entries={[
              {
                id: 'change',
                label: toolWords.change,
                ...refused,
                onAction: () => setParams({ credential: credential.credentialId }, { push: true }),
              },
              {
                id: 'remove',
                label: toolWords.remove,
                isDanger: true,
                ...refused,
                onAction: () => setRemoved(credential),
              },
            ]}
          />
        )}
        isFiltered={q !== ''}
        picture={<KeyRound size={22} />}
        firstActions={create}
      />
      {opened !== null && mayChange && (
        <ChangedCredential credentialId={opened} onClose={() => setParams({ credential: null })} />
      )}
      {removed && <DeleteCredentialDialog credential={removed} onClose={() => setRemoved(null)} />}
    </>
  )
}

/** The credential from the URL, which may be on another page of the list. */
function ChangedCredential({
  credentialId,
  onClose,
}: {
  credentialId: IdText<CredentialId>
  onClose(): void
}) {
  const credential = useOperation('getCredential', { params: { credentialId } }, { keepsFormer: false })
  if (credential.data) {
    return (
      <LazyDialog>
        <CredentialDialog credential={credential.data} onClose={onClose} />
      </LazyDialog>
    )
  }
  if (credential.failure === null) return null
  return (
    <Dialog isOpen onClose={onClose} title={words.oneFailed}>
      <AskedPanel asked={credential} failed={words.oneFailed}>
        {() => null}
      </AskedPanel>
    </Dialog>
  )
}
