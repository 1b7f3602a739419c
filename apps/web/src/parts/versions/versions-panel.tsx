export interface VersionsPanelProps {
  kind: 'agent' | 'team'
  id: string
  /** What callers run now. */
  currentVersionId: string
  /** After a restore; what the page shows is asked again already. */
  onRestored?: () => void
}

/** The versions of an agent or a team: who made them, what differs, and how to go back. */
export function VersionsPanel(_: VersionsPanelProps) {
  return null
}
