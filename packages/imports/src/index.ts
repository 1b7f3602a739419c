export type {
  ImportChoice,
  Imported,
  ImportedWorkflow,
  ImportReport,
  ImportRow,
  LostConnection,
  SourceFormat,
} from './draft/report.ts'
export { importWorkflow } from './import-workflow.ts'
