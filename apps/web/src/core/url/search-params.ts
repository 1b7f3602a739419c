/** One search parameter: how its text is read, and how its value is written. */
export interface Param<T> {
  /** The value of a text, and of no text (null). An unknown text yields the fallback and never throws. */
  read(text: string | null): T
  /** null: the address leaves it out, because it is the default. */
  write(value: T): string | null
}

/** The search parameters of a page by their names. */
export type Params = Readonly<Record<string, Param<unknown>>>

/** The values of search parameters. */
export type ValuesOf<P extends Params> = { readonly [Name in keyof P]: ReturnType<P[Name]['read']> }

/** Free text; '' when absent. */
export const textParam: Param<string> = {
  read: (text) => text ?? '',
  write: (value) => (value === '' ? null : value),
}

/** An id or a name; null when absent. */
export const optionalParam: Param<string | null> = {
  read: (text) => (text === '' ? null : text),
  write: (value) => value,
}

/** A switch; false when absent. */
export const flagParam: Param<boolean> = {
  read: (text) => text === '1',
  write: (value) => (value ? '1' : null),
}

/** A whole number from 1, such as a page. */
export const countParam: Param<number> = {
  read: (text) => {
    const value = Number(text)
    return Number.isSafeInteger(value) && value >= 1 ? value : 1
  },
  write: (value) => (value === 1 ? null : String(value)),
}

/** A whole number from 0; the fallback when absent or unknown. */
export function wholeParam(fallback: number): Param<number> {
  return {
    read: (text) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : fallback),
    write: (value) => (value === fallback ? null : String(value)),
  }
}

/** One of several words; the fallback when absent or unknown. */
export function choiceParam<const T extends string>(choices: readonly T[], fallback: NoInfer<T>): Param<T> {
  return {
    read: (text) => choices.find((choice) => choice === text) ?? fallback,
    write: (value) => (value === fallback ? null : value),
  }
}

/** Any of several words, comma-separated; none when absent. Unknown ones are dropped. */
export function choicesParam<const T extends string>(choices: readonly T[]): Param<readonly T[]> {
  return {
    read: (text) => choices.filter((choice) => text?.split(',').includes(choice) ?? false),
    write: (values) => (values.length === 0 ? null : values.join(',')),
  }
}

/** The values of a page's parameters in an address. */
export function readParams<P extends Params>(params: P, search: URLSearchParams): ValuesOf<P> {
  const entries = Object.entries(params).map(([name, param]) => [name, param.read(search.get(name))] as const)
  // The object has exactly the names of `params`, which `Object.fromEntries` cannot express.
  return Object.fromEntries(entries) as ValuesOf<P>
}

/** The search of an address after a change: other parameters are kept, defaults are omitted. */
export function writeParams<P extends Params>(
  params: P,
  search: URLSearchParams,
  change: Partial<ValuesOf<P>>,
): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const name of Object.keys(change)) {
    const value = change[name]
    const text = value === undefined ? null : (params[name]?.write(value) ?? null)
    if (text === null) next.delete(name)
    else next.set(name, text)
  }
  next.sort()
  return next
}
