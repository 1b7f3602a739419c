import { counted } from '../../../format/numbers.ts'

/** Texts of the preview of a form's page. */
export const formPreviewWords = {
  title: 'Page',
  detail: 'As visitors see it, with your current changes. Nothing typed here is sent.',
  frame: 'Preview of the form',
  whole: 'Page at full width',
  beside: 'Beside the fields',
  failed: 'The page could not be rendered',
  none: 'Add a field with a question, and the page appears here.',
  faults: (count: number) =>
    `${counted(count, 'setting has a problem', 'settings have problems')}. The page leaves out these questions and settings.`,
  logo: (host: string) => `The logo of ${host} is shown on the real page only.`,
} as const
