import { DrizzleQueryError } from 'drizzle-orm'

type Methods = Record<string, (...values: never[]) => Promise<unknown>>

/**
 * The same readers or writers, throwing what the client threw. Drizzle's own error repeats the SQL and every value in
 * its message: names, configurations and secrets would end up in logs.
 */
export function withPlainErrors<Groups extends { [Name in keyof Groups]: object }>(groups: Groups): Groups {
  const wrapped = Object.entries(groups as Record<string, Methods>).map(([name, methods]) => [
    name,
    Object.fromEntries(Object.entries(methods).map(([verb, method]) => [verb, plainly(method)])),
  ])
  return Object.fromEntries(wrapped) as Groups
}

function plainly(method: Methods[string]): Methods[string] {
  return async (...values) => {
    try {
      return await method(...values)
    } catch (error) {
      throw error instanceof DrizzleQueryError && error.cause ? error.cause : error
    }
  }
}
