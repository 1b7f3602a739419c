import { choiceParam, optionalParam, textParam } from '../../../core/url/search-params.ts'

/** The parts of a URL that open the dialog of a test: its scope, the step with its iterations, and the run whose results it uses. */
export const TEST_PLACE = {
  test: choiceParam(['', 'all', 'only', 'until', 'from'], ''),
  testStep: optionalParam,
  testPath: textParam,
  testRun: optionalParam,
}
