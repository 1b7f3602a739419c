import { ShieldX } from 'lucide-react'
import { Empty } from '../../atoms/states/panels.tsx'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import type { SettingsPage } from '../../core/url/paths.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { SettingsLayout } from './settings-layout.tsx'

/** Instead of a page of the settings that only those who manage the organization may read: who they are. */
export function RefusedSettings({ page, detail }: { page: SettingsPage; detail: string }) {
  return (
    <SettingsLayout page={page} detail={detail} width="wide">
      <Empty picture={<ShieldX size={22} />} title={settingsWords.refused}>
        {useRefusal('manage')}
      </Empty>
    </SettingsLayout>
  )
}
