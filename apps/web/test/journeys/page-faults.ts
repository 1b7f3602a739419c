import type { BrowserContext } from 'playwright-core'

/**
 * Runs before every page: the browser's storage rejects writes, as on a full disk. The error is the one of the HTML
 * standard (web storage) and of the Indexed Database API for an exceeded quota.
 */
export const FULL_DISK = `
  const full = () => { throw new DOMException('The disk is full.', 'QuotaExceededError') }
  IDBObjectStore.prototype.put = full
  Storage.prototype.setItem = full
`

/** An internal error of the server, as `packages/http/src/respond-error.ts` sends it. */
export const SERVER_ERROR = {
  status: 500,
  contentType: 'application/json',
  headers: { 'x-request-id': 'r-500' },
  body: JSON.stringify({ error: 'internal_error', message: 'An unexpected error occurred.' }),
}

/** From now on the server's responses name another build of the pages. */
export async function answerAsNewerBuild(context: BrowserContext): Promise<void> {
  await context.route('**/api/builder/v1/**', async (route) => {
    if (route.request().url().includes('/events')) return route.continue()
    const answered = async () => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), 'x-troupe-build': 'another' } })
    }
    // The page is left while some of its requests are under way.
    await answered().catch(() => undefined)
  })
}
