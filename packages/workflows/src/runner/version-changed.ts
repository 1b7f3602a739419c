/** The workflow was published again after the request was checked, and nothing was started: check it again. */
export class VersionChanged extends Error {
  constructor() {
    super('The workflow was published again after the request was checked; nothing was started.')
  }
}
