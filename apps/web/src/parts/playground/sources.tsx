import type { Citation } from '@troupe/contract'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Disclosure } from '../../atoms/layout/disclosure.tsx'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import styles from './playground.module.css'

export interface SourcesProps {
  citations: readonly Citation[]
  /** Distinguishes the sources of one answer from those of others on the page. */
  place: string
}

const sourceElementId = (place: string, n: number) => `source-${place}-${n}`

/** Opens a source of an answer, and gives it the focus. */
export function openSource(place: string, n: number): void {
  const details = document.getElementById(sourceElementId(place, n))?.querySelector('details')
  if (!details) return
  details.open = true
  details.querySelector('summary')?.focus()
}

/** The passages that an answer cites. */
export function Sources({ citations, place }: SourcesProps) {
  if (citations.length === 0) return null
  return (
    <div className={styles.sources}>
      <h3>{words.sources}</h3>
      <ol>
        {citations.map(({ n, documentName, page, url, quote }) => (
          <li key={n} id={sourceElementId(place, n)}>
            <Disclosure
              look="line"
              lead={<span className={styles.number}>{n}</span>}
              title={documentName}
              end={page === null ? undefined : words.page(page)}
            >
              <blockquote className={styles.quote}>{quote}</blockquote>
              {url !== null && /^https?:\/\//i.test(url) && (
                <TextLink href={url} isExternal>
                  {url}
                </TextLink>
              )}
            </Disclosure>
          </li>
        ))}
      </ol>
    </div>
  )
}
