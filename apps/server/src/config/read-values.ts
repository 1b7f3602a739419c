import type { Env } from './env.ts'
import type { Problems } from './problems.ts'
import type { VariableName } from './variables.ts'

/**
 * Reads single values. An invalid value is recorded as a problem, and the check continues with the fallback.
 */
export class Values {
  readonly #env: Env
  readonly #problems: Problems

  constructor(env: Env, problems: Problems) {
    this.#env = env
    this.#problems = problems
  }

  text(name: VariableName): string | null {
    return this.#env.values[name]
  }

  integer(name: VariableName, range: { min: number; max: number }): number | null {
    const text = this.text(name)
    if (text === null) return null
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (value >= range.min && value <= range.max) return value
    this.#problems.add(`${name} must be a whole number from ${range.min} to ${range.max}, not "${text}".`)
    return null
  }

  choice<T extends string>(name: VariableName, options: readonly T[]): T | null {
    const text = this.text(name)
    const found = options.find((option) => option === text)
    if (text === null || found !== undefined) return found ?? null
    this.#problems.add(`${name} must be one of ${options.join(', ')}, not "${text}".`)
    return null
  }

  /** Comma-separated, without empty parts. */
  list(name: VariableName): readonly string[] | null {
    const text = this.text(name)
    if (text === null) return null
    return text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  }

  /** A URL with one of the schemes. The problem omits the value: URLs may carry passwords. */
  url(
    name: VariableName,
    schemes: readonly string[],
    { mayBeSocket = false }: { mayBeSocket?: boolean } = {},
  ): URL | null {
    const given = this.text(name)
    if (given === null) return null
    // `postgres://user@/db?host=/run/postgresql` has no host, but a URL with a user name requires one.
    const isSocket = mayBeSocket && /[?&]host=(?:\/|%2f)/i.test(given)
    const text = isSocket ? given.replace(/^(\w+:\/\/(?:[^/?#]*@)?)(?=\/|\?)/, '$1socket') : given
    const url = URL.canParse(text) ? new URL(text) : null
    if (schemes.some((scheme) => text.startsWith(`${scheme}://`)) && hasRawCharacter(text, url)) {
      this.#problems.add(
        `${name} is not a valid URL. Percent-encode the reserved characters of its user name and password: % as %25, # as %23, @ as %40, : as %3A, / as %2F and ? as %3F.`,
      )
      return null
    }
    if (url && schemes.includes(url.protocol.slice(0, -1)) && url.hostname !== '') return url
    this.#problems.add(
      `${name} must be a URL that begins with ${schemes.map((s) => `${s}://`).join(' or ')}.`,
    )
    return null
  }
}

/**
 * Whether a user name or password was not percent-encoded: then its `#`, `/`, `?`, `@` or `%` truncates the URL or makes it
 * invalid.
 */
function hasRawCharacter(text: string, url: URL | null): boolean {
  if (!url) return text.includes('@')
  const isCut = /@/.test(url.hash) || (/@/.test(url.pathname + url.search) && url.username === '')
  if (isCut && !url.protocol.startsWith('http')) return true
  try {
    decodeURIComponent(url.username + url.password)
    return false
  } catch {
    return true
  }
}
