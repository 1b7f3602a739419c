import type { RerankingModelV4 } from '@ai-sdk/provider'
import { JSON_BUDGET, parseJson } from '@troupe/contract'

/** Maximum characters of a response: some servers send the texts back. */
const MAX_ANSWER = 2_000_000

/** A server with the `/rerank` endpoint of Cohere and Jina, which vLLM, LiteLLM and others have too. */
export interface RerankEndpoint {
  baseUrl: string
  headers: Record<string, string>
  fetch: typeof globalThis.fetch
}

/** A model of such a server. A failed request throws an Error with `statusCode` and `responseHeaders`. */
export function createEndpointReranking(
  modelId: string,
  { baseUrl, headers, fetch }: RerankEndpoint,
): RerankingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'openai-compatible',
    modelId,
    async doRerank({ documents, query, topN, abortSignal }) {
      const texts =
        documents.type === 'text' ? documents.values : documents.values.map((one) => JSON.stringify(one))
      const response = await fetch(`${baseUrl.replace(/\/$/, '')}/rerank`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ model: modelId, query, documents: texts, top_n: topN }),
        ...(abortSignal && { signal: abortSignal }),
      })
      if (!response.ok) {
        await response.body?.cancel()
        throw Object.assign(new Error(`status ${response.status}`), {
          statusCode: response.status,
          responseHeaders: Object.fromEntries(response.headers),
        })
      }
      const parsed = parseJson(await limitedText(response), { ...JSON_BUDGET, characters: MAX_ANSWER })
      if (!parsed.ok) throw new Error('the ranking is not valid JSON')
      return { ranking: rankingOf(parsed.value) }
    },
  }
}

async function limitedText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > MAX_ANSWER) throw new Error('the ranking is too large')
  }
  return text + decoder.decode()
}

function rankingOf(body: unknown): { index: number; relevanceScore: number }[] {
  const { results } = Object(body) as { results?: unknown }
  return (Array.isArray(results) ? results : []).flatMap((one: unknown) => {
    const { index, relevance_score: score } = Object(one) as { index?: unknown; relevance_score?: unknown }
    return typeof index === 'number' && typeof score === 'number' ? [{ index, relevanceScore: score }] : []
  })
}
