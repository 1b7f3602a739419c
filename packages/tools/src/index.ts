export { createToolboxes, type ToolParts } from './create-toolboxes.ts'
