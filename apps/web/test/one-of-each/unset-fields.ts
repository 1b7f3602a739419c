import { isJsonObject, propertyOf } from '@troupe/contract'

/**
 * The fields of a JSON schema that none of the values sets, as paths: `config.tools[].http.headers`. A field that is
 * only ever null counts as unset; of a union, every branch of objects must be there. Keys that a schema leaves open are
 * not checked.
 */
export function unsetFields(schema: unknown, values: readonly unknown[], path = ''): string[] {
  const set = values.filter((value) => value !== null && value !== undefined)
  if (set.length === 0) return [path]
  const branches = propertyOf(schema, 'anyOf')
  if (Array.isArray(branches)) {
    return branches.filter(isJsonObject).flatMap((branch) => {
      if (!isJsonObject(branch.properties)) return unsetFields(branch, set, path)
      const own = set.filter((value) => isOfBranch(branch, value))
      return unsetFields(branch, own, `${path}${nameOfBranch(branch)}`)
    })
  }
  const items = propertyOf(schema, 'items')
  if (items !== undefined) {
    const all = set.flatMap((value) => (Array.isArray(value) ? value : []))
    return unsetFields(items, all, `${path}[]`)
  }
  const properties = propertyOf(schema, 'properties')
  if (!isJsonObject(properties)) return []
  return Object.entries(properties).flatMap(([key, inner]) =>
    unsetFields(
      inner,
      set.map((value) => propertyOf(value, key)),
      path === '' ? key : `${path}.${key}`,
    ),
  )
}

/** Whether a value has the constants and the required keys of a branch. */
function isOfBranch(branch: unknown, value: unknown): boolean {
  const required = propertyOf(branch, 'required')
  return (Array.isArray(required) ? required : []).every((key) => {
    const wanted = propertyOf(propertyOf(propertyOf(branch, 'properties'), String(key)), 'const')
    const found = propertyOf(value, String(key))
    return found !== undefined && (wanted === undefined || wanted === found)
  })
}

function nameOfBranch(branch: unknown): string {
  const type = propertyOf(propertyOf(propertyOf(branch, 'properties'), 'type'), 'const')
  return typeof type === 'string' ? `.${type}` : ''
}
