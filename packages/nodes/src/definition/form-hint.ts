/** The controls that the builder has for a field. */
export type Control =
  | 'text'
  | 'text-area'
  | 'markdown'
  | 'number'
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
  | 'color'
  | 'cron'
  | 'time-zone'

/** How the builder shows a field; kept in its schema under `form`, beside `title`, `description` and `default`. */
export interface FormHint {
  control: Control
  placeholder?: string
  /** The field is shown only when a key beside it has one of these values. */
  when?: { key: string; is: readonly unknown[] }
  /** Shown only when somebody asks for the rare settings. */
  advanced?: boolean
}

/** What a field of a config tells people and the builder. */
export interface FieldOptions {
  title: string
  description?: string
  /** What an absent key means. A key without a default is required. */
  default?: unknown
  form?: FormHint
}
