import type { ProviderId } from '@troupe/contract'
import type { LlmConfiguration } from '@troupe/contract/builder'
import { Cpu } from 'lucide-react'
import { SearchToolbar } from '../../../atoms/layout/search-toolbar.tsx'
import { CreateLink } from '../../../atoms/overlays/create-link.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { MomentText } from '../../../atoms/states/moment-text.tsx'
import type { Column } from '../../../atoms/table/columns.ts'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import { settingsWords } from '../../../core/messages/en/settings/settings.ts'
import { LIST_PARAMS, listQuery } from '../../../core/url/list-params.ts'
import { useKeys } from '../../../infrastructure/keys/use-keys.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { useGoTo, useSearchParams } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { turningOf } from '../../../parts/lists/turning.ts'
import { MovableTable } from '../../../parts/move-things/movable-table.tsx'
import { ProviderTile } from '../../../parts/provider-tile/provider-tile.tsx'
import { SettingsLayout } from '../settings-layout.tsx'
import styles from './models.module.css'

const idOfConfiguration = ({ llmConfigId }: LlmConfiguration) => llmConfigId

/** Settings → Models: the providers with keys of this organization. */
export function ModelsPage() {
  const { paths, may, projectId } = usePlace()
  const goTo = useGoTo()
  const [params, setParams] = useSearchParams(LIST_PARAMS)
  const { q, sort, page } = params
  const configurations = useOperation('listLlmConfigurations', { query: listQuery(params, projectId) })
  const providers = useOperation('listProviders', {})
  const refusal = useRefusal('manage')
  useKeys([{ keys: 'c', label: words.create, run: () => may('manage') && goTo(paths.newModel()) }])
  const labelOf = (id: string) =>
    providers.data?.data.find(({ providerId }) => providerId === id)?.label ?? id
  const button = (
    <CreateLink href={paths.newModel()} refusal={refusal}>
      {words.create}
    </CreateLink>
  )
  return (
    <SettingsLayout
      page="models"
      detail={words.detail}
      width="wide"
      requests={[{ title: words.curlList, operation: 'listLlmConfigurations', input: {} }]}
      actions={button}
    >
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })} />
      <MovableTable
        kind="llm_configuration"
        asked={configurations}
        words={words}
        label={settingsWords.pages.models}
        columns={columnsWith(labelOf)}
        idOf={idOfConfiguration}
        nameOf={({ name }) => name}
        leadOf={({ providerId }) => (
          <ProviderTile providerId={providerId} label={labelOf(providerId)} size="small" />
        )}
        hrefOf={({ llmConfigId }) => paths.model(llmConfigId)}
        {...turningOf({ sort, page }, setParams)}
        isFiltered={q !== ''}
        picture={<Cpu size={22} />}
        firstActions={button}
      />
    </SettingsLayout>
  )
}

function columnsWith(labelOf: (providerId: ProviderId) => string): readonly Column<LlmConfiguration>[] {
  return [
    {
      ...{ id: 'name', title: words.name, width: '24%', isSortable: true },
      cell: ({ name }) => name,
      under: ({ providerId }) => labelOf(providerId),
    },
    {
      ...{ id: 'provider', title: words.provider, from: 'wide' },
      cell: ({ providerId }) => labelOf(providerId),
    },
    {
      id: 'status',
      title: words.status,
      width: '128px',
      from: 'wide',
      cell: (row) => (
        <span className={styles.badges}>
          <Badge tone={row.status === 'connected' ? 'good' : 'neutral'}>{words[row.status]}</Badge>
          {row.default && <Badge tone="info">{words.default}</Badge>}
        </span>
      ),
    },
    { id: 'models', title: words.models, from: 'wide', cell: modelsText },
    {
      id: 'used',
      title: words.usedBy,
      width: '96px',
      from: 'widest',
      cell: ({ usedBy }) => (usedBy.length === 0 ? words.unused : words.usesText(usedBy.length)),
    },
    {
      id: 'changed',
      title: words.changed,
      width: '128px',
      from: 'widest',
      cell: ({ updatedAt }) => <MomentText at={updatedAt} />,
    },
  ]
}

function modelsText({ models }: LlmConfiguration): string {
  const [first] = models
  return models.length === 1 && first ? first.modelId : words.modelCount(models.length)
}
