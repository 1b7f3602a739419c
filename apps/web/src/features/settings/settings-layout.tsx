import type { ReactNode } from 'react'
import { PageLayout, type PageLayoutProps } from '../../atoms/layout/page.tsx'
import { SideNavigation } from '../../atoms/layout/side-navigation.tsx'
import { settingsWords } from '../../core/messages/en/settings.ts'
import { SETTINGS_PAGES, type SettingsPage } from '../../core/url/paths.ts'
import { usePlace } from '../../infrastructure/session/session.ts'

export interface SettingsLayoutProps extends Pick<PageLayoutProps, 'actions' | 'detail'> {
  page: SettingsPage
  /** `wide` for tables. */
  width?: 'narrow' | 'wide'
  children: ReactNode
}

/** A page of the settings with the navigation between them. */
export function SettingsLayout({ page, width = 'narrow', children, ...parts }: SettingsLayoutProps) {
  const { paths } = usePlace()
  const items = SETTINGS_PAGES.map((id) => ({
    id,
    label: settingsWords.pages[id],
    href: paths.settings(id),
    isCurrent: id === page,
  }))
  return (
    <PageLayout title={settingsWords.pages[page]} {...parts}>
      <SideNavigation label={settingsWords.title} items={items} width={width}>
        {children}
      </SideNavigation>
    </PageLayout>
  )
}
