/** The keywords of JSON Schema that the sandbox understands; others are ignored. */
export interface SandboxSchema {
  $ref?: string
  type?: string | string[]
  description?: string
  title?: string
  const?: unknown
  enum?: unknown[]
  oneOf?: SandboxSchema[]
  anyOf?: SandboxSchema[]
  allOf?: SandboxSchema[]
  properties?: Record<string, SandboxSchema>
  required?: string[]
  items?: SandboxSchema
  prefixItems?: SandboxSchema[]
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  format?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
}
