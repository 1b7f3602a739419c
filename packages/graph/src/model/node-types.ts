/** The role of a node in the graph. A loop has a body; a note never executes. */
export type NodeRole = 'trigger' | 'pure' | 'effect' | 'loop' | 'note'

/** How a trigger is started. */
export type TriggerKind = 'manual' | 'http' | 'form' | 'recurrence'

/** A payload field that an HTTP trigger declares. */
export interface DeclaredField {
  name: string
  type: 'string' | 'number' | 'boolean' | 'object'
  required: boolean
}

/** A field of a form. */
export interface FormAnswer {
  name: string
  required: boolean
  isFile: boolean
}

/** An interpolated part of a config: `value` is a string, or any JSON whose strings are interpolated. */
export interface TemplateField {
  /** Below the config, dotted: `rows.0.value`. */
  path: string
  value: unknown
  /** Whether `loop.*` refers to the node's own iterations, as in the condition of a Loop. */
  ownIterations?: boolean
  /** Whether an unresolvable token is not a failure here, as in a test for existence. */
  mayBeMissing?: boolean
  /** Whether this tests a value: other tokens of the same value are then expected to be missing at times. */
  testsValue?: boolean
}

/** A reference of a config to something outside the graph. */
export interface ResourceReference {
  kind: 'agent' | 'team' | 'llm_configuration'
  /** null: the default LLM configuration, whichever it is. */
  id: string | null
  /** Below the config, dotted. */
  path: string
  /** The requested model of an LLM configuration, if the config names one. */
  model?: { id: string; path: string }
}

/** Severity of a finding: `block` prevents publishing, `error` fails runs, `warning` marks unexpected behaviour. */
export type Severity = 'block' | 'error' | 'warning'

/** A problem that a node type found in a config. */
export interface ConfigProblem {
  severity: Severity
  code: string
  /** Below the config, dotted; empty for the config as a whole. */
  path: string
  message: string
}

/**
 * The facts about a node type that the graph needs. Every function also accepts an invalid config and then returns a
 * best-effort result; none throws.
 */
export interface NodeType {
  role: NodeRole
  /** For a trigger only. */
  trigger?: TriggerKind
  /** The handles that edges may leave from, under this config. A loop has `body` and `done`. */
  handles(config: Record<string, unknown>): readonly string[]
  /** Problems of the config itself. */
  check?(config: Record<string, unknown>): readonly ConfigProblem[]
  /** Every interpolated field. */
  templates?(config: Record<string, unknown>): readonly TemplateField[]
  /** The payload fields that an HTTP trigger declares. */
  fields?(config: Record<string, unknown>): readonly DeclaredField[]
  /** The fields of a form. */
  answers?(config: Record<string, unknown>): readonly FormAnswer[]
  /** The variables that the node writes. */
  writes?(config: Record<string, unknown>): readonly string[]
  /** The agents, teams and LLM configurations that the node uses. */
  references?(config: Record<string, unknown>): readonly ResourceReference[]
  /** Whether a loop repeats while a condition holds. */
  repeatsWhile?(config: Record<string, unknown>): boolean
}

/** The node types by name; a `Map` is one. */
export interface NodeTypes {
  get(type: string): NodeType | undefined
}
