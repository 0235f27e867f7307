import { LayerSdkError } from './base.js'

/** A head file, or a part from which it is made, is invalid. Correct the member that `path` names. */
export class HeadFileError extends LayerSdkError<'SETUP_HEAD_FILE'> {
  override readonly name = 'HeadFileError'
  /** Path of the wrong member, e.g. `parties[1].hydraVkey`. */
  readonly path: string
  constructor(path: string, expected: string, got: string) {
    super('SETUP_HEAD_FILE', `${path} cannot stand in a head file.`, { expected, got })
    this.path = path
  }
}
