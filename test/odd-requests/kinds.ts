const KINDS: ReadonlySet<string> = new Set(['agent', 'team', 'workflow', 'knowledgebase', 'skill', 'project'])

/**
 * The kind of resource that the name of a field, parameter or collection refers to: `knowledge-bases` and
 * `knowledgeBaseIds.0` to `knowledgebase`.
 */
export function kindAt(place: string): string {
  const name = place.split('.').findLast((step) => /[a-z]/i.test(step) && step !== 'key') ?? ''
  return name
    .replaceAll('-', '')
    .replace(/(Ids?|s)$/, '')
    .toLowerCase()
}

/** Whether a place of a body most likely takes an id. */
export function hasId(place: string): boolean {
  return KINDS.has(kindAt(place)) || /Ids?(\.\d+)?$/.test(place)
}
