/** The code of the embedded database has crashed; it answers no further calls. */
export class BrokenDatabaseError extends Error {
  override readonly name = 'BrokenDatabaseError'

  constructor() {
    super(
      'The embedded database did not complete a statement and cannot continue. Accepted data is in its log on the disk: start again, with free space if the disk is full.',
    )
  }
}
