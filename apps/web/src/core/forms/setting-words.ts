/** The label and explanation of a setting. */
export interface SettingWords {
  label: string
  /** One sentence: its effect, and when to change it. */
  help?: string
  /** The meaning of an unset value, in the empty field: "No limit". */
  none?: string
  /** After a number: "ms", "tokens". */
  unit?: string
  /** The words of its choices; a choice without words is shown unchanged. */
  choices?: Readonly<Record<string, { label: string; detail?: string }>>
}

/**
 * Every path to a setting of a configuration, as a type: `memory.history.max_runs`. Lists and objects with free keys are
 * settings themselves. A table over it does not compile until every setting has its words.
 */
export type SettingPath<T> = {
  [K in keyof T & string]: PathBelow<K, NonNullable<T[K]>>
}[keyof T & string]

type PathBelow<K extends string, V> = V extends string | number | boolean | readonly unknown[]
  ? K
  : V extends object
    ? string extends keyof V
      ? K
      : `${K}.${SettingPath<V>}`
    : never

/** The keys of every kind in a union of kinds. */
export type KindKey<T> = T extends unknown ? keyof T & string : never

/** A path with `*` for the place in a list: `model.fallbacks.*.on`. */
export function pathPattern(path: string): string {
  return path.replaceAll(/\.\d+(?=\.|$)/g, '.*')
}
