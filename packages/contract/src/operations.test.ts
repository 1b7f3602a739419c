import { describe, expect, test } from 'vitest'
import { COMMON_ERRORS, EDGE_ERRORS, type Operation } from './operation/operation.ts'
import { OPERATIONS, OPERATOR_OPERATIONS, TRIGGER_OPERATIONS } from './operations.ts'
import { validator } from './validation/validator.ts'

const named: [string, Operation][] = [
  ...Object.entries(OPERATIONS),
  ...Object.entries(TRIGGER_OPERATIONS),
  ...Object.entries(OPERATOR_OPERATIONS),
]
const operations = named.map(([, operation]) => operation)

test('ids are unique and are the names under which the operations are listed', () => {
  for (const [name, operation] of named) expect(operation.id).toBe(name)
  expect(new Set(operations.map((operation) => operation.id)).size).toBe(operations.length)
})

test('no two operations have one method and path, whatever their parameters are called', () => {
  const routes = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
  expect(new Set(routes).size).toBe(routes.length)
})

test('the public operations are below /api/v1 and take an API key, the operator’s are not and do not', () => {
  for (const operation of Object.values<Operation>(OPERATIONS)) {
    expect(operation.path).toMatch(/^\/api\/v1\//)
    expect(operation.access).toBe('api_key')
  }
  for (const operation of Object.values<Operation>(TRIGGER_OPERATIONS)) {
    expect(operation.path).toMatch(/^\/api\/v1\//)
    expect(operation.access).toBe('trigger')
  }
  for (const operation of Object.values<Operation>(OPERATOR_OPERATIONS)) {
    expect(operation.path).toMatch(/^\/api\/builder\//)
    expect(operation.access).toBe('operator')
  }
})

describe.for(operations)('$id', (operation) => {
  test('declares exactly the parameters of its path', () => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    expect(Object.keys(operation.params?.properties ?? {}).sort()).toEqual(inPath.sort())
    expect(operation.params?.required ?? []).toHaveLength(inPath.length)
  })

  test('declares each error once, and none that every operation has', () => {
    expect(new Set(operation.errors).size).toBe(operation.errors.length)
    const common: readonly string[] = [...COMMON_ERRORS[operation.access], ...EDGE_ERRORS]
    expect(operation.errors.filter((code) => common.includes(code))).toEqual([])
  })

  test('can return a validation error if it takes a query or a body with rules', () => {
    const checked = operation.body !== undefined || Object.keys(operation.query?.properties ?? {}).length > 0
    if (checked && operation.access === 'api_key') expect(operation.errors).toContain('validation_error')
  })

  test('has no body where HTTP gives it no meaning', () => {
    if (operation.method === 'GET' || operation.method === 'DELETE') expect(operation.body).toBeUndefined()
  })

  test('has a summary in a sentence, without a full stop', () => {
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/)
    expect(operation.success.description).toMatch(/^[A-Z].*\.$/)
  })

  test('has schemas that compile and can be written as JSON', () => {
    for (const schema of [
      operation.params,
      operation.query,
      operation.headers,
      operation.body,
      operation.success.body,
    ]) {
      if (!schema) continue
      expect(() => validator(schema)({})).not.toThrow()
      expect(JSON.parse(JSON.stringify(schema))).toMatchObject({})
    }
  })
})
