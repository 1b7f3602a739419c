/** What is edited and not saved: it runs as it is, when it differs from what is saved. */
export interface PlaygroundDraft {
  name?: string | undefined
  description?: string | null | undefined
  config: object
}

export interface PlaygroundProps {
  kind: 'agent' | 'team'
  id: string
  draft: PlaygroundDraft | null
  /** Gives the draft up, after the person was asked; absent: the playground does not offer it. */
  onDraftless?: () => void
}

/** A conversation with an agent or a team: what is live, a version, the unsaved draft, or up to four of them side by side. */
export function Playground(_: PlaygroundProps) {
  return null
}
