import type { IdText, KnowledgeBaseId } from '@troupe/contract'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { NumberField } from '../../atoms/controls/number-field.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { TextLines } from '../../atoms/controls/text-lines.tsx'
import { Card, FormLayout } from '../../atoms/layout/page.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { Callout, Empty } from '../../atoms/states/panels.tsx'
import { isMetadataLine, metadataOf } from '../../core/knowledge/metadata-text.ts'
import { knowledgeWords } from '../../core/messages/en/resources/knowledge.ts'
import { knowledgeSearchWords as words } from '../../core/messages/en/resources/knowledge-search.ts'
import { textParam, wholeParam } from '../../core/url/search-params.ts'
import type { AnswerOf } from '../../infrastructure/client/operation-types.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { FoundPassages } from './found-passages.tsx'
import styles from './knowledge.module.css'

const USUAL_PASSAGES = 5
const PARAMS = {
  ask: textParam,
  top: wholeParam(USUAL_PASSAGES),
  least: textParam,
  only: textParam,
}

export interface SearchTabProps {
  knowledgeBaseId: IdText<KnowledgeBaseId>
  /** The number of searchable passages. */
  passageCount: number
  /** Whether passages have vectors. */
  hasEmbedding: boolean
}

/** Searches one knowledge base as an agent does. The question and its options are in the URL. */
export function SearchTab({ knowledgeBaseId, passageCount, hasEmbedding }: SearchTabProps) {
  const { may } = usePlace()
  const refusal = useRefusal('build')
  const [{ ask, top, least, only }, setParams] = useSearchParams(PARAMS)
  const [query, setQuery] = useState(ask)
  // Empty while another number is being typed; the URL keeps the last one.
  const [passages, setPassages] = useState<number | null>(top)
  const [found, setFound] = useState<{
    query: string
    passages: AnswerOf<'searchKnowledgeBases'>['data']
  } | null>(null)
  const search = useChange('searchKnowledgeBases')
  const lines = only.split('\n').filter((line) => line !== '')
  const minScore = least === '' ? null : Math.min(1, Math.max(0, Number(least) || 0))
  const run = async () => {
    const asked = query.trim()
    if (asked === '' || !lines.every(isMetadataLine)) return
    setParams({ ask: asked })
    const done = await search.run({
      body: {
        base_ids: [knowledgeBaseId],
        query: asked.slice(0, 2_000),
        top_k: Math.min(20, Math.max(1, top)),
        min_score: minScore,
        ...(lines.length > 0 ? { filters: metadataOf(lines) } : {}),
      },
    })
    if (done) setFound({ query: asked, passages: done.answer.data })
  }
  // A link to a question shows its result.
  const first = useRef(run)
  const mayAsk = may('build') && ask !== ''
  useEffect(() => {
    if (mayAsk) void first.current()
  }, [mayAsk])
  if (passageCount === 0) return <Callout>{words.empty}</Callout>
  return (
    <>
      <Card>
        <FormLayout label={words.label} onSubmit={run}>
          <div className={styles.search}>
            <TextField
              label={words.query}
              type="search"
              placeholder={words.placeholder}
              value={query}
              onChange={setQuery}
              autoFocus
              maxLength={2_000}
            />
            <RefusableButton
              emphasis="primary"
              type="submit"
              refusal={refusal}
              isPending={search.isPending}
              icon={<Search size={14} />}
            >
              {words.run}
            </RefusableButton>
          </div>
          <div className={styles.options}>
            <NumberField
              label={words.topK}
              value={passages}
              onChange={(next) => {
                setPassages(next)
                if (next !== null) setParams({ top: next })
              }}
              minValue={1}
              maxValue={20}
            />
            {hasEmbedding && (
              <NumberField
                label={words.minScore}
                isOptional
                value={minScore}
                onChange={(next) => setParams({ least: next === null ? '' : String(next) })}
                minValue={0}
                maxValue={1}
                step={0.05}
              />
            )}
            <TextLines
              label={words.filters}
              description={words.filtersDetail}
              rows={1}
              value={lines}
              onChange={(next) => setParams({ only: next.join('\n') })}
              error={lines.every(isMetadataLine) ? null : knowledgeWords.documents.metadataFault}
            />
          </div>
        </FormLayout>
      </Card>
      <FailurePanel title={words.failed} failure={search.failure} />
      {found === null ? (
        <Empty picture={<Search size={22} />} title={words.start}>
          {words.detail}
        </Empty>
      ) : (
        <FoundPassages query={found.query} passages={found.passages} hasEmbedding={hasEmbedding} />
      )}
    </>
  )
}
