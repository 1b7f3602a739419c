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

/** The history settings of a version; the defaults if it has none. */
export function historyOf(config: unknown): SeenHistory {
  const limit = at(config, 'memory', 'history', 'max_runs')
  return {
    enabled: at(config, 'memory', 'history', 'enabled') !== false,
    maxRuns: typeof limit === 'number' ? limit : null,
  }
}

/** The instructions of an agent, or of a team's managed lead; '' without any. */
export function instructionsOf(config: unknown): string {
  const found = at(config, 'instructions') ?? at(config, 'lead', 'managed', 'instructions')
  return typeof found === 'string' ? found : ''
}
