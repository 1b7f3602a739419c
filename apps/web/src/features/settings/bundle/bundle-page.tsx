import { TabBar } from '../../../atoms/layout/tab-bar.tsx'
import { bundleWords } from '../../../core/messages/en/settings/bundle.ts'
import { choiceParam } from '../../../core/url/search-params.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { RefusedPanel } from '../refused-settings.tsx'
import { SettingsLayout } from '../settings-layout.tsx'
import { ApplyPanel } from './apply-panel.tsx'
import { ExportPanel } from './export-panel.tsx'

const TABS = ['export', 'apply'] as const
const PARAMS = { tab: choiceParam(TABS, 'export') }

/** Settings → Bundle: exports the organization as a file, and applies files to it. */
export function BundlePage() {
  const [{ tab }, setParams] = useSearchParams(PARAMS)
  const refusal = useRefusal('manage')
  return (
    <SettingsLayout page="bundle" detail={bundleWords.detail} width="wide">
      {refusal === null ? (
        <TabBar
          label={bundleWords.tabsLabel}
          tabs={TABS.map((id) => ({ id, label: bundleWords.tabs[id] }))}
          value={tab}
          onChange={(next) => setParams({ tab: next }, { push: true })}
        >
          {tab === 'export' ? <ExportPanel /> : <ApplyPanel />}
        </TabBar>
      ) : (
        <RefusedPanel refusal={refusal} />
      )}
    </SettingsLayout>
  )
}
