/** The element with the steps of a draft. */
export const STEPS_ID = 'steps'

/** The element with the actions on the viewed step. */
export const STEP_ACTIONS_ID = 'step-actions'

/** The next focus after editing a step: *Edit* if it is viewed there; else its row. */
export function placeAfterEdit(nodeId: string): Element | null {
  return document.querySelector(`#${STEP_ACTIONS_ID} button`) ?? rowOf(nodeId)
}

/** The row of a step, or its place on the map; if it has none, the row of the first step, or the page. */
export function rowOf(nodeId: string): Element | null {
  return exactRowOf(nodeId) ?? placeIn(stepRows(), 0)
}

/** The row of a step, or its place on the map; null: not rendered yet. */
export function exactRowOf(nodeId: string): Element | null {
  const onMap = () => document.querySelector(`#${STEPS_ID} [data-step="${CSS.escape(nodeId)}"]`)
  return stepRows().find(({ dataset }) => dataset.key === nodeId) ?? onMap()
}

/** The element that will replace a removed step, evaluated after the removal. */
export function placeAfterStep(nodeId: string): () => Element | null {
  const index = stepRows().findIndex(({ dataset }) => dataset.key === nodeId)
  return () =>
    placeIn(
      stepRows().filter(({ dataset }) => dataset.key !== nodeId),
      index,
    )
}

function placeIn(rows: readonly Element[], index: number): Element | null {
  return rows[Math.max(0, Math.min(index, rows.length - 1))] ?? document.getElementById('content')
}

function stepRows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`#${STEPS_ID} [role="row"]`)]
}
