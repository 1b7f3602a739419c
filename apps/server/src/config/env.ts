import { ABSENT_FEATURES, VARIABLES, type VariableName } from './variables.ts'

/** The environment as the server sees it: known variables only; unset and empty are both null. */
export interface Env {
  values: Record<VariableName, string | null>
  /** Variables of features that this version lacks, and misspelt names of supported ones. */
  absent: readonly { name: string; feature: string }[]
  /** The complete environment, only for `${NAME}` in a bundle. */
  all: Readonly<Record<string, string | undefined>>
}

/** Reads an environment (this process's by default). The only place that touches `process.env`. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const values = Object.fromEntries(
    VARIABLES.map(({ name }) => [name, source[name]?.trim() || null]),
  ) as Env['values']
  const absent = Object.keys(source)
    .filter((name) => source[name]?.trim() && !Object.hasOwn(values, name))
    .flatMap((name) => {
      const found = ABSENT_FEATURES.find(({ match }) => match.test(name))
      return found ? [{ name, feature: found.feature }] : []
    })
  return { values, absent, all: source }
}
