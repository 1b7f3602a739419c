import type { SeenHistory } from './seen-parts.ts'

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, name)
        ? Reflect.get(found, name)
        : undefined,
    value,
  )
}

/** What a version says of the history; the defaults where it says nothing. */
export function historyOf(config: unknown): SeenHistory {
  const limit = at(config, 'memory', 'history', 'max_runs')
  return {
    enabled: at(config, 'memory', 'history', 'enabled') !== false,
    maxRuns: typeof limit === 'number' ? limit : null,
  }
}

/** The instructions of an agent, or of the managed lead of a team; '' where there are none. */
export function instructionsOf(config: unknown): string {
  const found = at(config, 'instructions') ?? at(config, 'lead', 'managed', 'instructions')
  return typeof found === 'string' ? found : ''
}
