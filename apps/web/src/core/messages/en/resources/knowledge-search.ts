import { counted } from '../../../format/numbers.ts'

/** Texts of the search in a knowledge base. */
export const knowledgeSearchWords = {
  label: 'Search this knowledge base',
  detail: 'The same search that agents use. It shows the passages for a question.',
  query: 'Question',
  placeholder: 'How long do refunds take?',
  run: 'Search',
  failed: 'The search failed',
  more: 'Options',
  topK: 'Passages',
  minScore: 'Minimum similarity',
  filters: 'Metadata filter',
  filtersDetail: 'Only documents with this metadata, as key=value, one per line.',
  results: (count: number) => counted(count, 'passage', 'passages'),
  noneTitle: 'No passage found',
  none: 'No passage contains a word from the question. Try other words, or add a document about it.',
  similarity: (value: string) => `similarity ${value}`,
  byWords: 'by words',
  score: (value: string) => `score ${value}`,
  scoreTip: 'Best first. The score combines both rankings. Scores are only comparable within one search.',
  scoreByWords: 'Best first. Scores are only comparable within one search.',
  page: (page: number) => `page ${page}`,
  start: 'Ask what an agent would ask.',
  empty: 'There is nothing to search yet: no document is ready.',
} as const
