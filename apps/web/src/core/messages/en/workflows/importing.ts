import { counted } from '../../../format/numbers.ts'

/** Texts of the dialog that imports a workflow. */
export const importWords = {
  title: 'Import a workflow',
  detail:
    'A workflow from “Download as JSON”, an export of n8n (JSON) or an export of Dify (YAML). A report shows the mapping of each node before the workflow is created.',
  read: 'Read the file',
  failed: 'The workflow was not imported',
  name: 'Name',
  text: 'File',
  file: 'Choose a file',
  notJson: 'This is not valid JSON.',
  faults: { too_long: 'The file is longer than 5 MB.', not_text: 'The file is not a text file.' },
  formats: { n8n: 'n8n', dify: 'Dify' },
  report: 'Report of the import',
  summary: (product: string, steps: number, standIns: number, notes: number) =>
    [
      `Export of ${product}: ${counted(steps, 'step', 'steps')}`,
      ...(standIns > 0 ? [`${counted(standIns, 'step', 'steps')} to replace`] : []),
      ...(notes > 0 ? [counted(notes, 'Note', 'Notes')] : []),
    ].join(', '),
  choices: 'To choose',
  standIns: 'To replace: until then, runs fail at these steps',
  notes: 'Notes without a place in the flow',
  lost: 'Omitted connections',
  differing: 'Steps that behave differently',
  same: 'Steps that behave the same',
  parts: 'Settings of other steps',
} as const

/** Texts of the gallery of templates. */
export const galleryWords = {
  title: 'Start with',
  starts: { own: 'Your own steps', template: 'A template' },
  choose: 'Choose a template.',
  importInstead: 'Import a file instead',
  agentOf: (step: string) => `Agent of the step “${step}”`,
  teamOf: (step: string) => `Team of the step “${step}”`,
  later: 'You can also choose it later, in the step.',
} as const
