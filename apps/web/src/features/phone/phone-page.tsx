import { PageLayout } from '../../atoms/layout/page.tsx'
import { TabBar } from '../../atoms/layout/tab-bar.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { phoneWords as words } from '../../core/messages/en/voice/phone.ts'
import { LIST_PARAMS } from '../../core/url/list-params.ts'
import { choiceParam, flagParam } from '../../core/url/search-params.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { useCreateButton } from '../../parts/lists/use-create-button.tsx'
import { NoMediaServer } from '../../parts/media-server/no-media-server.tsx'
import { DoNotCallTab } from './do-not-call-tab.tsx'
import { NumbersTab } from './numbers-tab.tsx'
import { TrunksTab } from './trunks-tab.tsx'

const NewTrunkDialog = lazyPart(async () => (await import('./new-trunk-dialog.tsx')).NewTrunkDialog)
const NumberDialog = lazyPart(async () => (await import('./number-dialog.tsx')).NumberDialog)
const AddDoNotCallDialog = lazyPart(
  async () => (await import('./add-do-not-call-dialog.tsx')).AddDoNotCallDialog,
)

const TABS = ['trunks', 'numbers', 'do-not-call'] as const
const PARAMS = { ...LIST_PARAMS, tab: choiceParam(TABS, 'trunks'), create: flagParam }
const CREATE: Readonly<Record<(typeof TABS)[number], string>> = {
  trunks: words.trunks.create,
  numbers: words.numbers.create,
  'do-not-call': words.doNotCall.create,
}

/** Connections to carriers, the numbers of agents, and blocked numbers. */
export function PhonePage() {
  const { may } = usePlace()
  const [{ tab, create }, setParams] = useSearchParams(PARAMS)
  const close = () => setParams({ create: false })
  const label = CREATE[tab]
  const button = useCreateButton('manage', label, () => setParams({ create: true }, { push: true }))
  const isCreating = create && may('manage')
  return (
    <PageLayout title={words.title} detail={words.detail} actions={button}>
      <NoMediaServer />
      <TabBar
        label={words.title}
        tabs={TABS.map((id) => ({ id, label: words.tabs[id] }))}
        value={tab}
        onChange={(id) => setParams({ tab: id, q: '', page: 1 }, { push: true })}
      >
        {tab === 'trunks' && <TrunksTab create={button} />}
        {tab === 'numbers' && <NumbersTab create={button} />}
        {tab === 'do-not-call' && <DoNotCallTab create={button} />}
      </TabBar>
      <LazyDialog>
        {isCreating && tab === 'trunks' && <NewTrunkDialog onClose={close} />}
        {isCreating && tab === 'numbers' && <NumberDialog number={null} trunkId={null} onClose={close} />}
        {isCreating && tab === 'do-not-call' && <AddDoNotCallDialog onClose={close} />}
      </LazyDialog>
    </PageLayout>
  )
}
