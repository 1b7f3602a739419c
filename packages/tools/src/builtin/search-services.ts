import { isJsonObject } from '@troupe/contract'

/** A search result. */
export interface FoundPage {
  title: string
  url: string
  snippet: string
}

/** The request of a search to a service. */
interface SearchRequest {
  method: 'GET' | 'POST'
  url: string
  body: object | null
}

/** A search service with an HTTP API. */
export interface SearchService {
  host: string
  request(query: string, count: number): SearchRequest
  /** null if the response does not have the service's format. */
  read(answer: unknown): FoundPage[] | null
}

/** Items whose fields are texts; others are omitted. */
function pagesOf(items: unknown, snippet: 'description' | 'content'): FoundPage[] {
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown) => {
    if (!isJsonObject(item) || typeof item.url !== 'string') return []
    const text = (value: unknown) => (typeof value === 'string' ? value : '')
    return [{ title: text(item.title), url: item.url, snippet: text(item[snippet]) }]
  })
}

const brave: SearchService = {
  host: 'api.search.brave.com',
  request(query, count) {
    const parameters = new URLSearchParams({ q: query, count: String(count), text_decorations: 'false' })
    return { method: 'GET', url: `https://${this.host}/res/v1/web/search?${parameters}`, body: null }
  },
  // A search without hits has no `web`.
  read: (answer) =>
    isJsonObject(answer) ? pagesOf(isJsonObject(answer.web) ? answer.web.results : [], 'description') : null,
}

const tavily: SearchService = {
  host: 'api.tavily.com',
  request(query, count) {
    return { method: 'POST', url: `https://${this.host}/search`, body: { query, max_results: count } }
  },
  read: (answer) =>
    isJsonObject(answer) && Array.isArray(answer.results) ? pagesOf(answer.results, 'content') : null,
}

/** The search services of `web_search`: the hosts of its credential choose one. */
export const SEARCH_SERVICES: readonly SearchService[] = [brave, tavily]
