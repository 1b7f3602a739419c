import { type Checked, validator } from '@troupe/contract'
import type { ConfigProblem, NodeRole, NodeType } from '@troupe/graph'
import type { Static, TSchema } from 'typebox'
import { fillDefaults } from './fill-defaults.ts'
import type { OutputField } from './output-fields.ts'
import { blockingProblem } from './problems.ts'
import { templatesIn } from './templates-in.ts'

/** The group of a node in the builder's palette. */
export type NodeGroup = 'triggers' | 'ai' | 'logic' | 'data' | 'people' | 'canvas'

/** The half of a node type that the builder and the server share. */
export interface NodeDefinition<
  Name extends string = string,
  Role extends NodeRole = NodeRole,
  Schema extends TSchema = TSchema,
> extends NodeType {
  /** Its name in graphs. */
  readonly type: Name
  readonly role: Role
  /** Its display name. */
  readonly title: string
  /** One sentence for the palette. */
  readonly summary: string
  /** Name of a Lucide icon. */
  readonly icon: string
  readonly group: NodeGroup
  /** Its place among the types of its group; those without one follow, by their titles. */
  readonly place?: number
  /** The known fields of its output, from the config. Accepts an invalid config, and never throws. */
  outputsOf?(config: Record<string, unknown>): readonly OutputField[]
  /**
   * For a step with several handles: the fields of its output that its handle implies. A test that chooses the handle uses these values.
   * Accepts an invalid config, and never throws.
   */
  outputOfWay?(config: Record<string, unknown>, way: string): Readonly<Record<string, unknown>>
  /** JSON Schema of the config, with titles, defaults and form hints. A key without a default is required. */
  readonly schema: Schema
  check(config: Record<string, unknown>): readonly ConfigProblem[]
  /** A config with its defaults filled in, or every failure of its schema. Unknown keys are kept. */
  read(config: Record<string, unknown>): Checked<Static<Schema>>
}

/** The declaration of a node type. */
interface DefinitionSource<Name extends string, Role extends NodeRole, Schema extends TSchema>
  extends Omit<NodeDefinition<Name, Role, Schema>, 'check' | 'read'> {
  /** Rules that the schema cannot express. The config has its defaults but may be invalid. Must not throw. */
  rules?(config: Record<string, unknown>): readonly ConfigProblem[]
}

/**
 * Completes a node type: its check reports all failures of schema and rules together, and its templates default to the
 * fields that the schema marks.
 */
export function defineNode<const Name extends string, const Role extends NodeRole, Schema extends TSchema>({
  rules,
  ...source
}: DefinitionSource<Name, Role, Schema>): NodeDefinition<Name, Role, Schema> {
  const validate = validator(source.schema)
  const fill = (config: Record<string, unknown>) =>
    fillDefaults(source.schema, config) as Record<string, unknown>
  return {
    templates: (config) => templatesIn(source.schema, config),
    ...source,
    read: (config) => validate(fill(config)),
    check: (config) => {
      const filled = fill(config)
      const checked = validate(filled)
      const ofSchema = checked.ok
        ? []
        : checked.errors.map(({ path, message }) => blockingProblem(path, message))
      const told = new Set(ofSchema.map(({ path }) => path))
      const ofRules = (rules?.(filled) ?? []).filter(({ path }) => !told.has(path))
      return [...ofSchema, ...ofRules]
    },
  }
}
