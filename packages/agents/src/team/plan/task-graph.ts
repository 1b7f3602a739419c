interface Node {
  readonly id: string
  readonly dependsOn: readonly string[]
}

/** The ids of one cycle of dependencies, each depending on the next; null if there is none. */
export function dependencyCycle(tasks: readonly Node[]): string[] | null {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const cleared = new Set<string>()

  function search(id: string, path: readonly string[]): string[] | null {
    const start = path.indexOf(id)
    if (start !== -1) return path.slice(start)
    if (cleared.has(id)) return null
    for (const dependency of byId.get(id)?.dependsOn ?? []) {
      const cycle = search(dependency, [...path, id])
      if (cycle) return cycle
    }
    cleared.add(id)
    return null
  }

  for (const { id } of tasks) {
    const cycle = search(id, [])
    if (cycle) return cycle
  }
  return null
}
