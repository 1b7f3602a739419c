/** Columns of equal width beside each other; narrow ones scroll sideways within their frame. */
export function columnGrid(columns: number): { gridTemplateColumns: string } {
  return { gridTemplateColumns: `repeat(${columns}, minmax(${columns > 1 ? '17rem' : '0'}, 1fr))` }
}
