/** One figure of the builder's pages beside the one that they should reach. */
export interface PageRow {
  what: string
  /** In `unit`. */
  reached: number
  atMost: number
  unit: 'ms' | 'KB' | 'elements' | 'rows'
}
