import type { ReactNode } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import type { LoadedPages } from './older-rows.ts'

export interface SearchedEmptyProps {
  picture: ReactNode
  title: string
  children: ReactNode
  pages: LoadedPages
  /** Names the button that looks through older rows. */
  search: string
}

/** No row of a filtered keyset list was found so far; older ones may not have been looked at. */
export function SearchedEmpty({ picture, title, children, pages, search }: SearchedEmptyProps) {
  return (
    <Empty
      picture={picture}
      title={title}
      actions={
        pages.hasMore ? (
          <Button isPending={pages.isLoadingMore} onPress={pages.loadMore}>
            {search}
          </Button>
        ) : null
      }
    >
      {children}
    </Empty>
  )
}
