import type { Page, Route } from 'playwright-core'

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
