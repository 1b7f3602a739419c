import { Component, type ReactNode } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { ErrorPanel } from '../../../atoms/states/panels.tsx'
import { canvasWords as words } from '../../../core/messages/en/workflows/canvas.ts'
import { mapWords } from '../../../core/messages/en/workflows/map.ts'
import { isMissingPart } from '../../../infrastructure/client/missing-parts.ts'

export interface CanvasBoundaryProps {
  /** Shows the list of steps, which offers all functions of the canvas. */
  onList(): void
  children: ReactNode
}

/** Keeps the page when the canvas throws: the draft is saved, and the list remains usable. */
export class CanvasBoundary extends Component<CanvasBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    // The page handles code that could not be loaded: only reloading the page helps.
    if (isMissingPart(error)) throw error
    return (
      <ErrorPanel
        title={words.broken}
        message={words.brokenDetail}
        actions={<Button onPress={this.props.onList}>{mapWords.toList}</Button>}
      />
    )
  }
}
