import { Suspense } from 'react'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { TabBar } from '../../atoms/layout/tab-bar.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { Skeleton } from '../../atoms/states/panels.tsx'
import { toolWords as words } from '../../core/messages/en/resources/tools.ts'
import { LIST_PARAMS } from '../../core/url/list-params.ts'
import { choiceParam, flagParam } from '../../core/url/search-params.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { useCreateButton } from '../../parts/lists/use-create-button.tsx'
import { ServersTab } from './servers-tab.tsx'

const CredentialsTab = lazyPart(async () => (await import('./credentials-tab.tsx')).CredentialsTab)
const CredentialDialog = lazyPart(async () => (await import('./credential-dialog.tsx')).CredentialDialog)
const ServerDialog = lazyPart(async () => (await import('./server-dialog.tsx')).ServerDialog)

const TABS = ['servers', 'credentials'] as const
const PARAMS = { ...LIST_PARAMS, tab: choiceParam(TABS, 'servers'), create: flagParam }

/** The connections of tools: MCP servers and credentials. */
export function ToolsPage() {
  const { may } = usePlace()
  const [{ tab, create }, setParams] = useSearchParams(PARAMS)
  const close = () => setParams({ create: false })
  const label = words[tab].create
  const button = useCreateButton('manage', label, () => setParams({ create: true }, { push: true }))
  const isCreating = create && may('manage')
  return (
    <PageLayout title={words.title} detail={words.detail} actions={button}>
      <TabBar
        label={words.title}
        tabs={TABS.map((id) => ({ id, label: words.tabs[id] }))}
        value={tab}
        onChange={(id) => setParams({ tab: id, q: '', page: 1 }, { push: true })}
      >
        {tab === 'servers' ? (
          <ServersTab create={button} />
        ) : (
          <Suspense fallback={<Skeleton lines={6} />}>
            <CredentialsTab create={button} />
          </Suspense>
        )}
      </TabBar>
      <LazyDialog>
        {isCreating && tab === 'credentials' && <CredentialDialog credential={null} onClose={close} />}
        {isCreating && tab === 'servers' && <ServerDialog server={null} onClose={close} />}
      </LazyDialog>
    </PageLayout>
  )
}
