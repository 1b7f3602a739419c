export { importWorkflow } from './import-workflow.ts'
export type {
  ImportChoice,
  Imported,
  ImportedWorkflow,
  ImportReport,
  ImportRow,
  LostConnection,
  SourceFormat,
} from './report.ts'
