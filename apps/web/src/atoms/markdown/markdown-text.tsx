import type { Token } from 'markdown-it'
import { createContext, Fragment, memo, type ReactNode, useContext } from 'react'
import { visibleControls } from '../../core/format/hidden-characters.ts'
import { citedParts } from '../../core/markdown/cited-parts.ts'
import { LongText } from '../text/long-text.tsx'
import styles from './markdown.module.css'
import { hostOf, isShortMarkdown, markdownBlocks, safeHref } from './markdown-blocks.ts'

/** The passages that a text may cite by their numbers in brackets. */
export interface Citations {
  numbers: ReadonlySet<number>
  /** The name of a number for screen readers: "Source 1". */
  labelOf(n: number): string
  onOpen(n: number): void
}

export interface MarkdownTextProps {
  text: string
  citations?: Citations | undefined
}

/** null: brackets with numbers are text. */
const CitationsContext = createContext<Citations | null>(null)

/**
 * A text of a model or a user as Markdown without HTML and images. Blocks that have not changed are not rendered
 * again, so a stream only renders its last block.
 */
export function MarkdownText({ text, citations }: MarkdownTextProps) {
  if (!isShortMarkdown(text))
    return (
      <div style={{ whiteSpace: 'pre-wrap' }}>
        <LongText text={text} />
      </div>
    )
  return (
    <CitationsContext value={citations ?? null}>
      <div className={styles.text} dir="auto">
        {markdownBlocks(text).map((tokens, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the block
          <Block key={index} source={JSON.stringify(tokens)} tokens={tokens} />
        ))}
      </div>
    </CitationsContext>
  )
}

const Block = memo(
  ({ tokens }: { tokens: readonly Token[]; source: string }) => <>{elementsOf(tokens)}</>,
  (former, next) => former.source === next.source,
)

/** Builds elements from a flat list of tokens, in which `nesting` opens (1) and closes (-1) them. */
function elementsOf(tokens: readonly Token[]): ReactNode[] {
  const root: ReactNode[] = []
  const stack: { token: Token; children: ReactNode[] }[] = []
  const add = (node: ReactNode) => {
    const target = stack.at(-1)?.children ?? root
    target.push(<Fragment key={target.length}>{node}</Fragment>)
  }
  for (const token of tokens) {
    if (token.nesting === 1) stack.push({ token, children: [] })
    else if (token.nesting === -1) {
      const closed = stack.pop()
      if (closed) add(container(closed.token, closed.children))
    } else add(token.type === 'inline' ? elementsOf(token.children ?? []) : leaf(token))
  }
  return root
}

function container(token: Token, children: ReactNode[]): ReactNode {
  switch (token.type) {
    case 'paragraph_open':
      return token.hidden ? children : <p>{children}</p>
    case 'heading_open':
      return token.tag === 'h1' || token.tag === 'h2' ? <h3>{children}</h3> : <h4>{children}</h4>
    case 'bullet_list_open':
      return <ul>{children}</ul>
    case 'ordered_list_open':
      return <ol start={Number(token.attrGet('start') ?? 1)}>{children}</ol>
    case 'list_item_open':
      return <li>{children}</li>
    case 'blockquote_open':
      return <blockquote>{children}</blockquote>
    case 'strong_open':
      return <strong>{children}</strong>
    case 'em_open':
      return <em>{children}</em>
    case 's_open':
      return <s>{children}</s>
    case 'link_open':
      return <OutsideLink href={String(token.attrGet('href') ?? '')}>{children}</OutsideLink>
    case 'table_open':
      return (
        <div className={styles.table}>
          <table>{children}</table>
        </div>
      )
    case 'thead_open':
      return <thead>{children}</thead>
    case 'tbody_open':
      return <tbody>{children}</tbody>
    case 'tr_open':
      return <tr>{children}</tr>
    case 'th_open':
      return <th>{children}</th>
    case 'td_open':
      return <td>{children}</td>
    default:
      return children
  }
}

function leaf(token: Token): ReactNode {
  switch (token.type) {
    case 'softbreak':
    case 'hardbreak':
      return <br />
    case 'code_inline':
      return <code translate="no">{visibleText(token.content)}</code>
    case 'fence':
    case 'code_block':
      return (
        <pre translate="no">
          <code translate="no">{visibleText(token.content.replace(/\n$/, ''))}</code>
        </pre>
      )
    case 'hr':
      return <hr />
    case 'text':
      return <CitingText text={token.content} />
    default:
      return visibleText(token.content)
  }
}

function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  const safe = safeHref(href)
  if (safe === null) return children
  return (
    <>
      <a href={safe} target="_blank" rel="noreferrer noopener">
        {/* A button inside a link is invalid. */}
        <CitationsContext value={null}>{children}</CitationsContext>
      </a>{' '}
      <span className={styles.host}>({hostOf(safe)})</span>
    </>
  )
}

/** A text whose numbers in brackets open the cited passages. */
function CitingText({ text }: { text: string }) {
  const citations = useContext(CitationsContext)
  if (citations === null) return visibleText(text)
  return citedParts(text, citations.numbers).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the part
    <Fragment key={index}>
      {typeof part === 'string'
        ? visibleText(part)
        : part.map((n) => (
            <button
              key={n}
              type="button"
              className={styles.cited}
              aria-label={citations.labelOf(n)}
              onClick={() => citations.onOpen(n)}
            >
              {n}
            </button>
          ))}
    </Fragment>
  ))
}

/** Characters that change the direction of a text, or are invisible, are shown by their code. */
function visibleText(text: string): ReactNode {
  const parts = visibleControls(text)
  if (parts.length === 1 && typeof parts[0] === 'string') return parts[0]
  return parts.map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the part
      <span key={index} className={styles.hidden}>
        {part.code}
      </span>
    ),
  )
}
