import type { MemberApproval } from '@troupe/contract/builder'

const MOST_CHARACTERS = 120

/** The beginning of a tool's arguments: `order: A-1, amount: 5`. */
export function argumentsText(args: MemberApproval['args']): string {
  const text = Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}
