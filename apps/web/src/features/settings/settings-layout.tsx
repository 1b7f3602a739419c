import type { ReactNode } from 'react'
import { PageLayout, type PageLayoutProps } from '../../atoms/layout/page.tsx'
import { SideLinks } from '../../atoms/layout/side-navigation.tsx'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { SETTINGS_GROUPS, type SettingsGroup, type SettingsPage } from '../../core/url/paths.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ShowAsCurlAction, type ShownRequest } from '../../parts/show-as-curl/show-as-curl-action.tsx'

export interface SettingsLayoutProps extends Pick<PageLayoutProps, 'actions' | 'detail' | 'isBare' | 'mark'> {
  page: SettingsPage
  /** The title of a resource below the page; the page's own when absent. */
  title?: string
  /** Links back to the page, for a resource below it. */
  crumb?: boolean
  /** The page's request, for *Show as curl*. */
  requests?: readonly ShownRequest[]
  /** `wide` for tables. */
  width?: 'narrow' | 'wide'
  children: ReactNode
}

/** A page of the settings with the navigation between them. */
export function SettingsLayout(props: SettingsLayoutProps) {
  const { page, title, crumb = false, width = 'narrow', requests = [], actions, children, ...parts } = props
  const { paths } = usePlace()
  const items = Object.entries(SETTINGS_GROUPS).flatMap(([group, pages]) =>
    pages.map((id, index) => ({
      id,
      label: settingsWords.pages[id],
      href: paths.settings(id),
      isCurrent: id === page,
      ...(index === 0 && { group: settingsWords.groups[group as SettingsGroup] }),
    })),
  )
  return (
    <PageLayout
      title={title ?? settingsWords.pages[page]}
      crumbs={crumb ? [{ label: settingsWords.pages[page], href: paths.settings(page) }] : []}
      actions={
        requests.length > 0 || actions ? (
          <>
            {requests.length > 0 && <ShowAsCurlAction requests={requests} />}
            {actions}
          </>
        ) : null
      }
      width={width}
      rail={<SideLinks label={settingsWords.title} items={items} />}
      {...parts}
    >
      {children}
    </PageLayout>
  )
}
