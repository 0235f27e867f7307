import { LayerSdkError } from './base.js'
import type { LayerErrorCode } from './codes.js'

export type { InvalidPartError }

/** A key, or the text envelope around it, is not one that can be used. The message names the fault, never the key. */
export class InvalidKeyFileError extends LayerSdkError<'INPUT_KEY_FILE'> {
  override readonly name = 'InvalidKeyFileError'
  constructor(what: string, details: { expected: string; got: string }) {
    super('INPUT_KEY_FILE', `${what} cannot be used.`, details)
  }
}

/** Base of the errors that name a place in a nested value. */
abstract class InvalidPartError<Code extends LayerErrorCode> extends LayerSdkError<Code> {
  /** Place in the value, e.g. `script.scripts[1].keyHash`. */
  readonly path: string
  protected constructor(code: Code, path: string, problem: string, details: { expected: string; got: string }) {
    super(code, `${path} ${problem}.`, details)
    this.path = path
  }
}

/** A native script's JSON does not follow cardano-cli's grammar. */
export class InvalidNativeScriptError extends InvalidPartError<'INPUT_NATIVE_SCRIPT'> {
  override readonly name = 'InvalidNativeScriptError'
  constructor(path: string, details: { expected: string; got: string }) {
    super('INPUT_NATIVE_SCRIPT', path, 'is not valid in a native script', details)
  }
}

/** A value cannot be PlutusData. */
export class InvalidPlutusDataError extends InvalidPartError<'INPUT_PLUTUS_DATA'> {
  override readonly name = 'InvalidPlutusDataError'
  constructor(path: string, details: { expected: string; got: string }) {
    super('INPUT_PLUTUS_DATA', path, 'cannot be PlutusData', details)
  }
}

/** A value cannot be transaction metadata. */
export class InvalidMetadatumError extends InvalidPartError<'INPUT_METADATUM'> {
  override readonly name = 'InvalidMetadatumError'
  constructor(path: string, details: { expected: string; got: string }) {
    super('INPUT_METADATUM', path, 'cannot be transaction metadata', details)
  }
}
