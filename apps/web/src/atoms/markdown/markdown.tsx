import { memo, Suspense } from 'react'
import { lazyPart } from '../parts/lazy-part.ts'
import { LongText } from '../text/long-text.tsx'
import styles from './markdown.module.css'
import type { MarkdownTextProps } from './markdown-text.tsx'

const MarkdownText = lazyPart(async () => (await import('./markdown-text.tsx')).MarkdownText)

/**
 * Markdown of models and users. The parser is a separate chunk; until it has loaded, the text reserves its space, and
 * is shown unformatted after a while. An unchanged text is not parsed again while another one streams.
 */
export const Markdown = memo(function Markdown(props: MarkdownTextProps) {
  return (
    <Suspense
      fallback={
        <div className={styles.plain}>
          <LongText text={props.text} />
        </div>
      }
    >
      <MarkdownText {...props} />
    </Suspense>
  )
})
