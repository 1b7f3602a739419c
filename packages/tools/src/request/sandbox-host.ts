import { parseJson } from '@troupe/contract'

/** `.test` is reserved (RFC 2606), so no real server has this name. */
const SANDBOX_HOST = 'sandbox.test'

/** The request's body as JSON if it is JSON, else as text; null without one. */
async function shownBody(body: RequestInit['body']): Promise<unknown> {
  if (body === undefined || body === null) return null
  const text = await new Response(body).text()
  const parsed = parseJson(text)
  return parsed.ok ? parsed.value : text
}

/** The parameters of a query: a list for a key that repeats. */
function shownQuery(parameters: URLSearchParams): Record<string, string | string[]> {
  const entries = Array.from(new Set(parameters.keys()), (key) => {
    const values = parameters.getAll(key)
    return [key, values.length > 1 ? values : (values[0] ?? '')] as const
  })
  return Object.fromEntries(entries)
}

/**
 * Adds the host `sandbox.test` to a fetch: the process itself responds with an echo of the request (method, path, query
 * and body, but never headers, which may contain credentials), so that tools can be tried and tested without any
 * server.
 */
export function withSandboxHost(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = input instanceof Request ? null : new URL(input)
    if (url?.hostname !== SANDBOX_HOST) return fetch(input, init)
    init.signal?.throwIfAborted()
    const asked = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: shownQuery(url.searchParams),
      body: await shownBody(init.body),
    }
    return Response.json(asked)
  }
}
