import { LayerSdkError } from './base.js'

/** A method has another name, or its arguments are one object now. */
export class RenamedError extends LayerSdkError<'API_RENAMED'> {
  override readonly name = 'RenamedError'
  /** The name that was called, e.g. `close()`. */
  readonly oldName: string
  /** The name to call, e.g. `closeHead()`. */
  readonly newName: string
  constructor(oldName: string, newName: string) {
    super('API_RENAMED', `${oldName} is ${newName} now.`, { expected: newName, got: oldName })
    this.oldName = oldName
    this.newName = newName
  }
}
