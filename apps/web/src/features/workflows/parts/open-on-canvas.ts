import { workflowView } from '../../../infrastructure/preferences/preferences.ts'

/** A new workflow opens on the canvas where the page has room for it, unless the user prefers another view. */
export function openOnCanvas(isSplit: boolean): void {
  if (isSplit && workflowView.get() === '') workflowView.set('map')
}
