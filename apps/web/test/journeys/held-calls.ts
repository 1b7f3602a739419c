import type { APIResponse, Page, Route } from 'playwright-core'

/** Delays matching calls until they are released. */
export async function hold(page: Page, method: string, path: RegExp) {
  const held: Route[] = []
  let isHolding = true
  await page.route(path, async (route) => {
    if (isHolding && route.request().method() === method) held.push(route)
    else await route.continue()
  })
  return {
    held,
    async release() {
      isHolding = false
      await Promise.all(held.splice(0).map((route) => route.continue()))
    },
  }
}

/**
 * Repeats the first response to matching reads until they are released, as on a device that receives changes
 * late.
 */
export async function late(page: Page, path: RegExp) {
  let first: Promise<APIResponse> | null = null
  let isLate = true
  await page.route(path, async (route) => {
    if (!isLate || route.request().method() !== 'GET') return route.continue()
    first ??= route.fetch()
    await route.fulfill({ response: await first })
  })
  return {
    release() {
      isLate = false
    },
  }
}
