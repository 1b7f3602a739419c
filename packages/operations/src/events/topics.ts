import { lowerUuid } from '@troupe/contract'
import type { WatchedKind } from '@troupe/storage'

/** The topics that a connection watches. */
export interface Topics {
  readonly runs: boolean
  readonly reviews: boolean
  readonly configuration: boolean
  readonly things: readonly { readonly kind: WatchedKind; readonly id: string; readonly topic: string }[]
}

const KINDS: readonly WatchedKind[] = [
  'workflow-run',
  'workflow',
  'deliveries',
  'presence',
  'listeners',
  'pins',
  'unsaved',
]

/** The topics of a query, validated by its schema. */
export function watchedTopics(text: string): Topics {
  const topics = [...new Set(text.split(','))]
  return {
    runs: topics.includes('runs'),
    reviews: topics.includes('reviews'),
    configuration: topics.includes('configuration'),
    things: topics.flatMap((topic) => {
      const [name = '', id = ''] = topic.split(':')
      const kind = KINDS.find((one) => one === name)
      const lower = lowerUuid(id)
      return kind && lower ? [{ kind, id: lower, topic }] : []
    }),
  }
}
