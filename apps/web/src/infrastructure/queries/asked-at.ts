import type { Query, QueryClient } from '@tanstack/react-query'

interface Question {
  /** Milliseconds since the epoch; when the pending request was sent. */
  sentAt: number
  /** When the request of the last response was sent; null before the first response. */
  answeredSentAt: number | null
}

const questions = new WeakMap<object, Question>()

/** Records when each request is sent. A response is as old as its request, and can arrive much later. */
export function noteQuestions(client: QueryClient): void {
  client.getQueryCache().subscribe(({ type, query, ...event }) => {
    if (type !== 'updated' || !('action' in event)) return
    const { action } = event
    const known = questions.get(query)
    // Loading a further page of a list does not refresh the earlier pages.
    if (action.type === 'fetch' && !action.meta?.fetchMore) {
      questions.set(query, { sentAt: Date.now(), answeredSentAt: known?.answeredSentAt ?? null })
    } else if (action.type === 'success' && known && !action.manual) {
      questions.set(query, { ...known, answeredSentAt: known.sentAt })
    }
  })
}

/** The time when the request of the shown response was sent, or the first pending one; null: none. */
export function askedAt(query: Query): number | null {
  const question = questions.get(query)
  return question ? (question.answeredSentAt ?? question.sentAt) : null
}
