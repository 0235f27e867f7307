import { LayerSdkError } from './base.js'
import type { LayerErrorCode } from './codes.js'

export type { InvalidPartError }

/** A key, or the text envelope around it, is invalid or of the wrong type. The message never repeats the key. */
export class InvalidKeyFileError extends LayerSdkError<'INPUT_KEY_FILE'> {
  override readonly name = 'InvalidKeyFileError'
  constructor(what: string, details: { expected: string; got: string }) {
    super('INPUT_KEY_FILE', `${what} cannot be used.`, details)
  }
}

/** Base class of errors that name a place in a nested value. */
abstract class InvalidPartError<Code extends LayerErrorCode> extends LayerSdkError<Code> {
  /** Place in the value, e.g. `script.scripts[1].keyHash`. */
  readonly path: string
  protected constructor(code: Code, path: string, problem: string, details: { expected: string; got: string }) {
    super(code, `${path} ${problem}.`, details)
    this.path = path
  }
}

/** The JSON of a native script does not follow cardano-cli's format. Correct the part that `path` names. */
export class InvalidNativeScriptError extends InvalidPartError<'INPUT_NATIVE_SCRIPT'> {
  override readonly name = 'InvalidNativeScriptError'
  constructor(path: string, details: { expected: string; got: string }) {
    super('INPUT_NATIVE_SCRIPT', path, 'is not valid in a native script', details)
  }
}

/** A value cannot be converted to Plutus data. Correct the part that `path` names. */
export class InvalidPlutusDataError extends InvalidPartError<'INPUT_PLUTUS_DATA'> {
  override readonly name = 'InvalidPlutusDataError'
  constructor(path: string, details: { expected: string; got: string }) {
    super('INPUT_PLUTUS_DATA', path, 'cannot be PlutusData', details)
  }
}

/** A value cannot be converted to transaction metadata. Correct the part that `path` names. */
export class InvalidMetadatumError extends InvalidPartError<'INPUT_METADATUM'> {
  override readonly name = 'InvalidMetadatumError'
  constructor(path: string, details: { expected: string; got: string }) {
    super('INPUT_METADATUM', path, 'cannot be transaction metadata', details)
  }
}
