import { LayerSdkError } from './base.js'

/** A method, property or argument has a new name, or a method now has one object as argument. Use `newName`. */
export class RenamedError extends LayerSdkError<'API_RENAMED'> {
  override readonly name = 'RenamedError'
  /** The old name that was used, e.g. `close()`. */
  readonly oldName: string
  /** The new name to use, e.g. `closeHead()`. */
  readonly newName: string
  constructor(oldName: string, newName: string) {
    super('API_RENAMED', `${oldName} is ${newName} now.`, { expected: newName, got: oldName })
    this.oldName = oldName
    this.newName = newName
  }
}
