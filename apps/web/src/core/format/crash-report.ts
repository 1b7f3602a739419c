/** Where and when an error occurred. */
export interface CrashPlace {
  at: Date
  /** With its search parameters. */
  path: string
  /** The user agent. */
  browser: string
}

/** The text of a report about an error in the builder: its message and stack, then its place, time (UTC) and browser. */
export function crashReport(error: unknown, { at, path, browser }: CrashPlace): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const message = String(error)
  // Firefox and Safari have no message in the stack.
  const text = stack.includes(message) ? stack : [message, stack].filter(Boolean).join('\n')
  return [text, '', `Page: ${path}`, `Time: ${at.toISOString()}`, `Browser: ${browser}`].join('\n')
}
