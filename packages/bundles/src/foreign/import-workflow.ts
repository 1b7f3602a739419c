import { isJsonObject, shortened } from '@troupe/contract'
import { importDify } from './dify/import-dify.ts'
import { isDifyApp, readDify } from './dify/read-dify.ts'
import type { Imported } from './draft/report.ts'
import { importN8n } from './n8n/import-n8n.ts'
import { isN8nWorkflow, readN8n } from './n8n/read-n8n.ts'

const fault = (message: string): Imported => ({ ok: false, fault: message })

/** How Dify marks copied nodes. Source: web/app/components/workflow/utils/clipboard.ts of github.com/langgenius/dify. */
const DIFY_CLIPBOARD = 'dify-workflow-clipboard'

/** The workflow in a value: itself, the only one of a list, wrapped as by the template gallery of n8n, or copied nodes of Dify. */
function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? unwrapped(value[0]) : value
  if (isJsonObject(value) && !isN8nWorkflow(value) && isN8nWorkflow(value.workflow)) {
    return { name: value.name, ...value.workflow }
  }
  if (isJsonObject(value) && value.kind === DIFY_CLIPBOARD) {
    const { nodes, edges } = value
    return { app: { mode: 'workflow' }, workflow: { graph: { nodes, edges } } }
  }
  return value
}

/**
 * Reads the export of another product as a draft. The format is recognized by an allow-list; any other file is a fault,
 * described in one sentence. Pure. Its work is at most proportional to the nodes times their levels of nesting, except
 * for data that many nodes pass on.
 */
export function importWorkflow(exported: unknown): Imported {
  const value = unwrapped(exported)
  if (Array.isArray(value) && value.length > 1 && value.every(isN8nWorkflow)) {
    return fault(`The file has ${value.length} workflows. Export and import them one by one.`)
  }
  if (isN8nWorkflow(value)) {
    if (value.nodes.length === 0) return fault('The workflow has no nodes.')
    const read = readN8n(value)
    return typeof read === 'string' ? fault(`The workflow ${read}.`) : importN8n(read)
  }
  if (isDifyApp(value)) {
    const read = readDify(value)
    return typeof read === 'string' ? fault(`The app ${read}.`) : importDify(read)
  }
  if (isJsonObject(value) && isJsonObject(value.app) && typeof value.app.mode === 'string') {
    return fault(
      `A Dify app of the mode "${shortened(value.app.mode, 40)}" has no workflow. Make an agent of its instructions.`,
    )
  }
  return fault('The file is neither a workflow of n8n nor an app of Dify.')
}
