import type { Citation } from '@troupe/contract'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Disclosure } from '../../atoms/layout/disclosure.tsx'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import styles from './playground.module.css'

/** The passages that an answer cites. */
export function Sources({ citations }: { citations: readonly Citation[] }) {
  if (citations.length === 0) return null
  return (
    <div className={styles.sources}>
      <h3>{words.sources}</h3>
      <ol>
        {citations.map(({ n, documentName, page, url, quote }) => (
          <li key={n}>
            <Disclosure
              look="line"
              lead={<span className={styles.number}>{n}</span>}
              title={documentName}
              end={page === null ? undefined : words.page(page)}
            >
              <p className={styles.sourceName}>{documentName}</p>
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
