import { ShieldX } from 'lucide-react'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import type { SettingsPage } from '../../core/url/paths.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { SettingsLayout } from './settings-layout.tsx'

interface RefusedSettingsProps {
  page: SettingsPage
  detail: string
  /** The actions that would be available here. */
  action?: string
}

/** Replaces a settings page for users without permission to read it: the members who manage the organization. */
export function RefusedSettings({ page, detail, action }: RefusedSettingsProps) {
  const refusal = useRefusal('manage')
  return (
    <SettingsLayout
      page={page}
      detail={detail}
      width="wide"
      {...(action
        ? {
            actions: (
              <RefusableButton emphasis="primary" refusal={refusal}>
                {action}
              </RefusableButton>
            ),
          }
        : {})}
    >
      <RefusedPanel refusal={refusal} />
    </SettingsLayout>
  )
}

/** Replaces the content of a settings page: the roles that may see it. */
export function RefusedPanel({ refusal }: { refusal: string | null }) {
  return (
    <Empty look="place" picture={<ShieldX size={22} />} title={settingsWords.refused}>
      {refusal}
    </Empty>
  )
}
