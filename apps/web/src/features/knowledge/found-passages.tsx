import { SearchX } from 'lucide-react'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Section } from '../../atoms/layout/page.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import { highlights } from '../../core/knowledge/highlights.ts'
import { knowledgeSearchWords as words } from '../../core/messages/en/resources/knowledge-search.ts'
import type { AnswerOf } from '../../infrastructure/client/operation-types.ts'
import styles from './knowledge.module.css'

type Passage = AnswerOf<'searchKnowledgeBases'>['data'][number]

interface FoundPassagesProps {
  query: string
  passages: readonly Passage[]
  /** Whether passages are ranked by their meaning, too. */
  hasEmbedding: boolean
}

/** The found passages, best first, with the query's words marked. */
export function FoundPassages({ query, passages, hasEmbedding }: FoundPassagesProps) {
  if (passages.length === 0) {
    return (
      <Empty picture={<SearchX size={22} />} title={words.noneTitle}>
        {words.none}
      </Empty>
    )
  }
  return (
    <Section
      title={words.results(passages.length)}
      detail={hasEmbedding ? words.scoreTip : words.scoreByWords}
    >
      <ol className={styles.results}>
        {passages.map((passage, index) => (
          <li key={passage.chunkId} className={styles.passage}>
            <PassageSource passage={passage} rank={index + 1} />
            <p className={styles.text}>
              {highlights(passage.text, query).map((piece, at) =>
                piece.isHit ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
                  <mark key={at}>{piece.text}</mark>
                ) : (
                  piece.text
                ),
              )}
            </p>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function PassageSource({ passage, rank }: { passage: Passage; rank: number }) {
  const { documentName, url, page, score, similarity } = passage
  return (
    <div className={styles.source}>
      <span className={styles.rank}>{rank}</span>
      <span className={styles.name}>
        {url ? (
          <TextLink href={url} isExternal>
            {documentName}
          </TextLink>
        ) : (
          documentName
        )}
      </span>
      <span className={styles.facts}>
        {page !== null && <span>{words.page(page)}</span>}
        <span>{similarity === null ? words.byWords : words.similarity(similarity.toFixed(2))}</span>
        <span>{words.score(score.toFixed(4))}</span>
      </span>
    </div>
  )
}
