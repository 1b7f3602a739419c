export interface UsePanelProps {
  kind: 'agent' | 'team'
  id: string
  name: string
}

/** How code calls an agent or a team: commands that run as they are, with real ids. */
export function UsePanel(_: UsePanelProps) {
  return null
}
