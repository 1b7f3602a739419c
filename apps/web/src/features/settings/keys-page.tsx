import type { ApiKey } from '@troupe/contract/builder'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { Badge } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { wholeNumber } from '../../core/format/numbers.ts'
import { serverNow } from '../../core/format/server-clock.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { LIST_PARAMS, listQuery } from '../../core/url/list-params.ts'
import { flagParam } from '../../core/url/search-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { AskedTable } from '../../parts/lists/asked-table.tsx'
import { turningOf } from '../../parts/lists/turning.ts'
import { useCreateButton } from '../../parts/lists/use-create-button.tsx'
import { keyState } from './key-state.ts'
import { RefusedSettings } from './refused-settings.tsx'
import { SettingsLayout } from './settings-layout.tsx'

const NewKeyDialog = lazyPart(async () => (await import('./new-key-dialog.tsx')).NewKeyDialog)
const ChangeKeyDialog = lazyPart(async () => (await import('./change-key-dialog.tsx')).ChangeKeyDialog)
const RotateKeyDialog = lazyPart(async () => (await import('./replace-key-dialogs.tsx')).RotateKeyDialog)
const RevokeKeyDialog = lazyPart(async () => (await import('./replace-key-dialogs.tsx')).RevokeKeyDialog)

const words = settingsWords.keys
const PARAMS = { ...LIST_PARAMS, create: flagParam }
const TONES = { active: 'good', endsSoon: 'warn', ended: 'neutral', revoked: 'neutral' } as const

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    id: 'name',
    title: words.name,
    width: '20%',
    cell: ({ name }) => <strong>{name}</strong>,
    under: hintText,
  },
  { id: 'key', title: words.key, width: '80px', from: 'wide', cell: hintText },
  {
    id: 'status',
    title: words.status,
    // The width of its longest word.
    width: '116px',
    cell: (key) => {
      const state = keyState(key, serverNow())
      return <Badge tone={TONES[state]}>{words[state]}</Badge>
    },
  },
  {
    id: 'project',
    title: words.project,
    from: 'widest',
    cell: ({ projectName }) => projectName ?? words.wholeOrganization,
  },
  {
    id: 'rpm',
    title: words.limit,
    align: 'end',
    width: '72px',
    from: 'huge',
    cell: ({ rpm }) => (rpm === null ? '–' : words.perMinute(wholeNumber(rpm))),
  },
  {
    id: 'used',
    title: words.lastUsed,
    width: '128px',
    from: 'wide',
    cell: ({ lastUsedAt }) => <MomentText at={lastUsedAt} none={words.neverUsed} />,
  },
  {
    id: 'ends',
    title: words.expires,
    width: '104px',
    from: 'widest',
    cell: ({ expiresAt }) => <MomentText at={expiresAt} none={words.never} />,
  },
]

/** The open dialog of one key. */
type Question = { kind: 'change' | 'rotate' | 'revoke'; apiKey: ApiKey }

/** Settings → API keys. */
export function KeysPage() {
  const { may } = usePlace()
  return may('manage') ? (
    <ListedKeys />
  ) : (
    <RefusedSettings page="keys" detail={words.detail} action={words.create} />
  )
}

/** Keys with their state; a new secret is shown once, inside a working command. */
function ListedKeys() {
  const { may, projectId } = usePlace()
  const [params, setParams] = useSearchParams(PARAMS)
  const { q, sort, page, create } = params
  const [question, setQuestion] = useState<Question | null>(null)
  const keys = useOperation('listApiKeys', { query: listQuery(params, projectId) })
  const isFiltered = q !== ''
  const isCreating = create && may('manage')
  // Mounted from its first opening on: a new secret is shown until it is read, whatever the URL is.
  const [wasCreating, setWasCreating] = useState(isCreating)
  if (isCreating && !wasCreating) setWasCreating(true)
  const button = useCreateButton('manage', words.create, () => setParams({ create: true }, { push: true }))
  return (
    <SettingsLayout
      page="keys"
      detail={words.detail}
      width="wide"
      requests={[{ title: words.curl, operation: 'listApiKeys', input: {} }]}
      actions={button}
    >
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })} />
      <AskedTable
        asked={keys}
        words={words}
        label={settingsWords.pages.keys}
        columns={COLUMNS}
        idOf={({ apiKeyId }) => apiKeyId}
        nameOf={({ name }) => name}
        hasTiles
        {...turningOf({ sort, page }, setParams)}
        actionsOf={(apiKey) => <KeyActions apiKey={apiKey} onAsk={setQuestion} />}
        isFiltered={isFiltered}
        picture={<KeyRound size={22} />}
        firstActions={button}
      />
      <LazyDialog>
        {wasCreating && <NewKeyDialog isOpen={isCreating} onClose={() => setParams({ create: false })} />}
        {question?.kind === 'change' && (
          <ChangeKeyDialog apiKey={question.apiKey} onClose={() => setQuestion(null)} />
        )}
        {question?.kind === 'rotate' && (
          <RotateKeyDialog apiKey={question.apiKey} onClose={() => setQuestion(null)} />
        )}
        {question?.kind === 'revoke' && (
          <RevokeKeyDialog apiKey={question.apiKey} onClose={() => setQuestion(null)} />
        )}
      </LazyDialog>
    </SettingsLayout>
  )
}

function KeyActions({ apiKey, onAsk }: { apiKey: ApiKey; onAsk: (question: Question) => void }) {
  const state = keyState(apiKey, serverNow())
  const isDisabled = state === 'revoked' || state === 'ended'
  return (
    <ActionMenu
      label={words.actions(apiKey.name)}
      entries={[
        {
          id: 'change',
          label: words.change,
          isDisabled: state === 'revoked',
          onAction: () => onAsk({ kind: 'change', apiKey }),
        },
        {
          id: 'rotate',
          label: words.rotate,
          isDisabled,
          onAction: () => onAsk({ kind: 'rotate', apiKey }),
        },
        {
          id: 'revoke',
          label: words.revoke,
          isDanger: true,
          isDisabled: state === 'revoked',
          onAction: () => onAsk({ kind: 'revoke', apiKey }),
        },
      ]}
    />
  )
}

/** The last characters of the key, which distinguish it from the one that it replaces. */
function hintText({ hint }: ApiKey) {
  return hint === '' ? '–' : <code translate="no">…{hint}</code>
}
