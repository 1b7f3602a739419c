import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from '../controls/button.tsx'
import styles from './page-turner.module.css'

/** The cause of a page change: the user, whose change the back button reverts, or rows that are gone. */
export interface PageTurn {
  push: boolean
}

export interface PageTurnerProps {
  page: number
  /** Rows of a page. */
  limit: number
  total: number
  words: { previous: string; next: string; pages(page: number, pages: number): string }
  onTurn(page: number, turn: PageTurn): void
}

/** The pagination of a list; hidden if there is a single page. */
export function PageTurner({ page, limit, total, words, onTurn }: PageTurnerProps) {
  const pages = Math.max(1, Math.ceil(total / limit))
  if (pages === 1 && page === 1) return null
  return (
    <nav className={styles.turner} aria-label={words.pages(page, pages)}>
      <Button
        size="small"
        icon={<ChevronLeft size={14} />}
        aria-label={words.previous}
        isDisabled={page <= 1}
        onPress={() => onTurn(page - 1, { push: true })}
      />
      <span>{words.pages(page, pages)}</span>
      <Button
        size="small"
        icon={<ChevronRight size={14} />}
        aria-label={words.next}
        isDisabled={page >= pages}
        onPress={() => onTurn(page + 1, { push: true })}
      />
    </nav>
  )
}
