/** Stylesheets that failed to load. The bundler's loader never requests them again, so a retry does. */
const brokenStyles = new Set<HTMLLinkElement>()

addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') brokenStyles.add(target)
  },
  true,
)

/**
 * Loads a part of the builder with `load`. Offline it waits for the network; a failed request is retried once, because the network
 * may have been interrupted.
 *
 * @throws the error of the first attempt: the server no longer has the file, or is unreachable
 */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  const first = await attempt(load)
  if ('code' in first) return first.code
  for (;;) {
    await untilOnline()
    const next = await attempt(async () => {
      await reloadStyles()
      return load()
    })
    if ('code' in next) return next.code
    if (navigator.onLine) throw first.error
  }
}

async function attempt<Code>(load: () => Promise<Code>): Promise<{ code: Code } | { error: unknown }> {
  try {
    return { code: await load() }
  } catch (error) {
    return { error }
  }
}

function untilOnline(): Promise<void> {
  if (navigator.onLine) return Promise.resolve()
  return new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }))
}

/** Stylesheets being reloaded: parts that share one wait for the same request. */
let reloading: Promise<unknown> = Promise.resolve()

function reloadStyles(): Promise<unknown> {
  reloading = reloading.catch(() => undefined).then(() => Promise.all([...brokenStyles].map(reloadStyle)))
  return reloading
}

function reloadStyle(broken: HTMLLinkElement): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.crossOrigin = broken.crossOrigin
  link.href = broken.href
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`${link.href} could not be loaded.`)))
    brokenStyles.delete(broken)
    broken.replaceWith(link)
  })
}
