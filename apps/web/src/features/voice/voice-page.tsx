import type { VoiceConfiguration } from '@troupe/contract/builder'
import { AudioLines } from 'lucide-react'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { Badge } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Avatar } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { speechProviderLabel } from '../../core/messages/en/voice/providers.ts'
import { voiceWords as words } from '../../core/messages/en/voice/voice.ts'
import { LIST_PARAMS, listQuery } from '../../core/url/list-params.ts'
import { flagParam } from '../../core/url/search-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { AskedTable } from '../../parts/lists/asked-table.tsx'
import { changedColumn } from '../../parts/lists/list-columns.tsx'
import { turningOf } from '../../parts/lists/turning.ts'
import { useCreateButton } from '../../parts/lists/use-create-button.tsx'
import { NoMediaServer } from '../../parts/media-server/no-media-server.tsx'
import { ProviderTile } from '../../parts/provider-tile/provider-tile.tsx'
import styles from './voice.module.css'
import { VoiceTabs } from './voice-tabs.tsx'

const NewVoiceDialog = lazyPart(async () => (await import('./new-voice-dialog.tsx')).NewVoiceDialog)

const PARAMS = { ...LIST_PARAMS, create: flagParam }

const leadOfRow = ({ agentId, agentName }: VoiceConfiguration) => (
  <Avatar id={agentId} name={agentName} shape="square" size="small" />
)

const COLUMNS: readonly Column<VoiceConfiguration>[] = [
  {
    id: 'name',
    title: words.columns.agent,
    width: '28%',
    cell: ({ agentName, agentStatus }) => (
      <span className={styles.named}>
        <span className={styles.name}>{agentName}</span>
        {agentStatus === 'archived' && <Badge tone="warn">{words.archived}</Badge>}
      </span>
    ),
    under: ({ sttProvider, updatedAt }) => (
      <>
        {words.hearsWith(speechProviderLabel(sttProvider))} · <MomentText at={updatedAt} />
      </>
    ),
  },
  {
    id: 'slug',
    title: words.columns.slug,
    from: 'widest',
    cell: ({ slug }) => <code translate="no">{slug}</code>,
  },
  {
    id: 'hears',
    title: words.columns.hears,
    from: 'wide',
    cell: ({ sttProvider }) => <SpeechProvider id={sttProvider} />,
  },
  {
    id: 'speaks',
    title: words.columns.speaks,
    cell: ({ ttsProvider }) => <SpeechProvider id={ttsProvider} />,
  },
  { id: 'numbers', title: words.columns.numbers, from: 'wider', cell: numbersText },
  changedColumn(words.columns.changed),
]

/** Voice configurations, one for each agent with a voice. */
export function VoicePage() {
  const { paths, may, projectId } = usePlace()
  const [{ create, ...params }, setParams] = useSearchParams(PARAMS)
  const { q, sort, page } = params
  const configurations = useOperation('listVoiceConfigurations', { query: listQuery(params, projectId) })
  const button = useCreateButton('manage', words.create, () => setParams({ create: true }, { push: true }))
  return (
    <PageLayout
      title={words.title}
      detail={words.detail}
      actions={button}
      tabs={<VoiceTabs current="voices" />}
    >
      <NoMediaServer />
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })} />
      <AskedTable
        asked={configurations}
        words={words}
        label={words.title}
        columns={COLUMNS}
        idOf={({ voiceConfigId }) => voiceConfigId}
        nameOf={({ agentName }) => agentName}
        leadOf={leadOfRow}
        hrefOf={({ voiceConfigId }) => paths.voiceConfiguration(voiceConfigId)}
        {...turningOf({ sort, page }, setParams)}
        isFiltered={q !== ''}
        picture={<AudioLines size={22} />}
        firstActions={button}
      />
      <LazyDialog>
        {create && may('manage') && <NewVoiceDialog onClose={() => setParams({ create: false })} />}
      </LazyDialog>
    </PageLayout>
  )
}

function SpeechProvider({ id }: { id: string }) {
  const label = speechProviderLabel(id)
  return (
    <span className={styles.provider}>
      <ProviderTile providerId={id} label={label} size="small" />
      <span className={styles.name}>{label}</span>
    </span>
  )
}

function numbersText({ phoneNumbers }: VoiceConfiguration): string {
  const [first, ...others] = phoneNumbers
  if (!first) return '–'
  return others.length === 0 ? first.e164 : words.numbers(phoneNumbers.length)
}
