/** Whether two texts look the same on a page, which shows neither outer spaces nor more than one in a row. */
export function isSameWords(one: string, other: string): boolean {
  return shown(one) === shown(other)
}

function shown(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}
