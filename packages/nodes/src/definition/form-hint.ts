/** The builder's controls for a field. */
export type Control =
  | 'text'
  | 'text-area'
  | 'markdown'
  | 'number'
  /** A number, a boolean, or a token. */
  | 'number-or-token'
  | 'boolean-or-token'
  /** Any value, with a choice of its type. */
  | 'typed-value'
  | 'switch'
  | 'choice'
  | 'json'
  | 'json-schema'
  | 'agent'
  | 'team'
  | 'model'
  | 'conditions'
  | 'list'
  | 'tags'
  | 'lines'
  | 'people'
  | 'roles'
  | 'color'
  | 'cron'
  | 'time-zone'

/** How the builder shows a field; stored in its schema under `form`, next to `title`, `description` and `default`. */
export interface FormHint {
  control: Control
  placeholder?: string
  /** The field is shown only when a sibling key has one of these values. */
  when?: { key: string; is: readonly unknown[] }
  /** A sibling key whose text is used to propose this id while it is empty. */
  from?: string
  /** Shown only among the advanced settings. */
  advanced?: boolean
}

/** Metadata of a config field for users and the builder. */
export interface FieldOptions {
  title: string
  description?: string
  /** The value of an absent key. A key without a default is required. */
  default?: unknown
  form?: FormHint
}

/** Keys that an object has beside its own ones, by the value of one of them; stored in its schema under `variants`. */
export interface Variants {
  key: string
  schemas: Readonly<Record<string, object>>
}
