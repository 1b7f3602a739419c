import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The Chromium of this machine; null, with one loud line, when there is none. */
export function findChromium(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
  if (found === undefined)
    console.warn('!!! There is no Chromium on this machine: tests of pages are skipped.')
  return found ?? null
}

/** A host name of this machine that browsers do not trust over plain http, like any host of a local network. */
export const UNTRUSTED_HOST = 'lan.test'

/** Starts a headless browser. In containers it has neither a sandbox nor much shared memory. */
export function startChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      `--host-resolver-rules=MAP ${UNTRUSTED_HOST} 127.0.0.1`,
    ],
    timeout: 60_000,
  })
}
