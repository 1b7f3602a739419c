import { memo, Suspense } from 'react'
import { lazyPart } from '../parts/lazy-part.ts'
import { LongText } from '../text/long-text.tsx'
import styles from './markdown.module.css'
import type { MarkdownTextProps } from './markdown-text.tsx'

const MarkdownText = lazyPart(async () => (await import('./markdown-text.tsx')).MarkdownText)

/**
 * Markdown of models and people. The parser is a chunk of its own; until it is there, the text takes its room, and is shown as it is when that takes long. A text
 * that has not changed is not parsed again while another one streams.
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
