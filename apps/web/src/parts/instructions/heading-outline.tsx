import { BareButton } from '../../atoms/controls/bare-button.tsx'
import { headingsOf } from '../../core/markdown/headings.ts'
import { instructionsWords as words } from '../../core/messages/en/parts/instructions.ts'
import styles from './heading-outline.module.css'

/** Minimum number of headings: shorter texts need no outline. */
const FEWEST = 2

/** The headings of the instructions; a press scrolls to the line. */
export function HeadingOutline({ text, onGo }: { text: string; onGo(line: number): void }) {
  const headings = headingsOf(text)
  if (headings.length < FEWEST) return null
  const top = Math.min(...headings.map(({ level }) => level))
  return (
    <nav aria-label={words.outline} className={styles.outline}>
      <ol>
        {headings.map(({ level, text: heading, line }) => (
          <li key={line} style={{ paddingInlineStart: `${level - top}rem` }}>
            <BareButton className={styles.heading} onPress={() => onGo(line)}>
              {heading}
            </BareButton>
          </li>
        ))}
      </ol>
    </nav>
  )
}
