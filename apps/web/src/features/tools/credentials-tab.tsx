import type { Credential } from '@troupe/contract/builder'
import { KeyRound } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { PagedTable } from '../../atoms/table/paged-table.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import { storedSecretText } from '../../core/tools/stored-secret.ts'
import { LIST_PARAMS, listQuery } from '../../core/url/list-params.ts'
import { optionalParam } from '../../core/url/search-params.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useHrefWith, useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { turningOf } from '../../parts/lists/turning.ts'
import { MoveSelection, useRowsToMove } from '../../parts/move-things/move-selection.tsx'
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
    cell: ({ usedBy }) => usedBy.map(({ name }) => name).join(', ') || '–',
  },
  {
    id: 'changed',
    title: toolWords.changed,
    width: '136px',
    from: 'wider',
    cell: ({ updatedAt }) => <MomentText at={updatedAt} />,
  },
]

const PARAMS = { ...LIST_PARAMS, credential: optionalParam }

const NONE: readonly Credential[] = []
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
  const { choice, choosing } = useRowsToMove(credentials.data?.data ?? NONE, idOfCredential)
  return (
    <>
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })} />
      <MoveSelection
        kind="credential"
        choice={choice}
        thingOf={({ credentialId: id, name, projectId: of }) => ({ id, name, projectId: of })}
      />
      <AskedPanel
        asked={credentials}
        failed={words.failed}
        waiting={<WaitingTable columns={COLUMNS} hasActions />}
      >
        {({ data, total }) => (
          <PagedTable
            label={toolWords.tabs.credentials}
            rows={data}
            total={total}
            columns={COLUMNS}
            idOf={idOfCredential}
            nameOf={({ name }) => name}
            hrefOf={({ credentialId }) => (mayChange ? hrefWith({ credential: credentialId }) : undefined)}
            isFormer={credentials.isFormer}
            {...choosing}
            {...turningOf({ sort, page }, setParams)}
            actionsOf={(credential) => (
              <ActionMenu
                label={toolWords.actions(credential.name)}
                groups={[
                  {
                    id: 'credential',
                    entries: [
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
                    ],
                  },
                ]}
              />
            )}
            empty={
              <Empty
                picture={<KeyRound size={22} />}
                title={q ? toolWords.noneTitle : words.emptyTitle}
                {...(q ? {} : { actions: create })}
              >
                {q ? words.none : words.empty}
              </Empty>
            }
          />
        )}
      </AskedPanel>
      {opened !== null && mayChange && (
        <ChangedCredential credentialId={opened} onClose={() => setParams({ credential: null })} />
      )}
      {removed && <DeleteCredentialDialog credential={removed} onClose={() => setRemoved(null)} />}
    </>
  )
}

/** The credential from the URL, which may be on another page of the list. */
function ChangedCredential({ credentialId, onClose }: { credentialId: string; onClose(): void }) {
  const credential = useOperation('getCredential', { params: { credentialId } }, { keepsFormer: false })
  if (credential.data) {
    return (
      <Suspense fallback={null}>
        <CredentialDialog credential={credential.data} onClose={onClose} />
      </Suspense>
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
