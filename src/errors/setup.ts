import { LayerSdkError } from './base.js'

/** A head file, or what it is made of, is not one: the member that is wrong is named, its content is not repeated. */
export class HeadFileError extends LayerSdkError<'SETUP_HEAD_FILE'> {
  override readonly name = 'HeadFileError'
  /** The member, e.g. `parties[1].hydraVkey`. */
  readonly path: string
  constructor(path: string, expected: string, got: string) {
    super('SETUP_HEAD_FILE', `${path} cannot stand in a head file.`, { expected, got })
    this.path = path
  }
}
