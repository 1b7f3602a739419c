/** An environment by variable name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** This process's environment. The only place of the worker that touches `process.env`. */
export function readEnvironment(): Environment {
  return process.env
}

/** LiveKit's audio library logs every step to the console unless NODE_ENV is production. */
export function quietNativeLogs(): void {
  process.env.NODE_ENV ??= 'production'
}
