/** All values of each header, from Node's raw list of names and values. */
export function distinctHeaders(rawHeaders: readonly string[]): NodeJS.Dict<string[]> {
  const distinct: Record<string, string[]> = Object.create(null)
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    const values = distinct[name] ?? []
    values.push(rawHeaders[at + 1] ?? '')
    distinct[name] = values
  }
  return distinct
}
