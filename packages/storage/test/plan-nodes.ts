/** A node of a plan in the output of `explain (analyze, format json)`. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** The rows read by a plan node. */
export interface Touched {
  what: string
  rows: number
}

/** The rows read by the nodes of a plan, with the worst first. */
export function touched(node: PlanNode): Touched[] {
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  const own = { what: `${node['Node Type']} ${node['Relation Name'] ?? ''}`, rows }
  return [own, ...(node.Plans ?? []).flatMap(touched)].toSorted((a, b) => b.rows - a.rows)
}
