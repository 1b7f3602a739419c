import type { Credential } from '@troupe/builder-contract'
import { KeyRound } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { PagedTable } from '../../atoms/table/paged-table.tsx'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import { LIST_PARAMS, listQuery } from '../../core/url/list-params.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { turningOf } from '../../parts/lists/turning.ts'
import { DeleteCredentialDialog } from './delete-dialogs.tsx'

const CredentialDialog = lazyPart(async () => (await import('./credential-dialog.tsx')).CredentialDialog)

const words = toolWords.credentials

const COLUMNS: readonly Column<Credential>[] = [
  { id: 'name', title: words.columns.name, width: '28%', isSortable: true, cell: ({ name }) => name },
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
    cell: ({ hint }) => (hint === '' ? words.unset : <code>…{hint}</code>),
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

type Question = { kind: 'change' | 'remove'; credential: Credential }

/** The credentials that tools send. */
export function CredentialsTab({ create }: { create: ReactNode }) {
  const { projectId } = usePlace()
  const refused = useEntryRefusal('manage')
  const [params, setParams] = useSearchParams(LIST_PARAMS)
  const { q, sort, page } = params
  const [question, setQuestion] = useState<Question | null>(null)
  const credentials = useOperation('listCredentials', { query: listQuery(params, projectId) })
  const close = () => setQuestion(null)
  return (
    <>
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })} />
      <AskedPanel asked={credentials} failed={words.failed} lines={6}>
        {({ data, total }) => (
          <PagedTable
            label={toolWords.tabs.credentials}
            rows={data}
            total={total}
            columns={COLUMNS}
            idOf={({ credentialId }) => credentialId}
            nameOf={({ name }) => name}
            isFormer={credentials.isFormer}
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
                        onAction: () => setQuestion({ kind: 'change', credential }),
                      },
                      {
                        id: 'remove',
                        label: toolWords.remove,
                        isDanger: true,
                        ...refused,
                        onAction: () => setQuestion({ kind: 'remove', credential }),
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
      {question?.kind === 'change' && (
        <Suspense fallback={null}>
          <CredentialDialog credential={question.credential} onClose={close} />
        </Suspense>
      )}
      {question?.kind === 'remove' && (
        <DeleteCredentialDialog credential={question.credential} onClose={close} />
      )}
    </>
  )
}
