/** A node of a plan as `explain (analyze, format json)` tells it. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** What a plan node read. */
export interface Touched {
  what: string
  rows: number
}

/** What the nodes of a plan read, in rows, with the worst first. */
export function touched(node: PlanNode): Touched[] {
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  const own = { what: `${node['Node Type']} ${node['Relation Name'] ?? ''}`, rows }
  return [own, ...(node.Plans ?? []).flatMap(touched)].toSorted((a, b) => b.rows - a.rows)
}
