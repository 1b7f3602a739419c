import type { ReactNode } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import type { LoadedPages } from './older-rows.ts'

export interface SearchedEmptyProps {
  picture: ReactNode
  title: string
  children: ReactNode
  pages: LoadedPages
  /** The label of the button that searches older rows. */
  search: string
}

/** The filtered keyset list has no row so far; older ones may not have been searched. */
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
