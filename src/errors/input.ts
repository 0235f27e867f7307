import { describeValue, LayerSdkError } from './base.js'

/** A text is not valid hex: it has other characters, an odd length, or not the required length. */
export class InvalidHexError extends LayerSdkError<'INPUT_HEX'> {
  override readonly name = 'InvalidHexError'
  /** Offset of the first wrong character, or -1 when the length is wrong. */
  readonly position: number

  /** `what` names the argument. The message never repeats the text, because it may be a secret. */
  constructor(what: string, got: unknown, position = -1, expected = 'an even number of hexadecimal digits') {
    super('INPUT_HEX', `${what} is not valid hex.`, {
      expected,
      got:
        typeof got !== 'string'
          ? describeValue(got)
          : position < 0
            ? `${got.length} characters`
            : `another character at position ${position}`
    })
    this.position = position
  }
}

/** Bytes or a text are not well-formed UTF-8. */
export class InvalidUtf8Error extends LayerSdkError<'INPUT_UTF8'> {
  override readonly name = 'InvalidUtf8Error'
  constructor(what: string, got: string, cause?: unknown) {
    super('INPUT_UTF8', `${what} is not valid UTF-8.`, { expected: 'well-formed UTF-8', got, cause })
  }
}

/** A bech32 or base58 text is malformed, or has another prefix or length than requested. */
export class InvalidBech32Error extends LayerSdkError<'INPUT_BECH32'> {
  override readonly name = 'InvalidBech32Error'
  constructor(what: string, details: { expected: string; got: string; cause?: unknown }) {
    super('INPUT_BECH32', `${what} is not valid bech32.`, details)
  }
}

/** A text or byte string is not a valid Cardano address, or not one of the required kind or network. */
export class InvalidAddressError extends LayerSdkError<'INPUT_ADDRESS'> {
  override readonly name = 'InvalidAddressError'
  constructor(summary: string, details: { expected: string; got: string; cause?: unknown }) {
    super('INPUT_ADDRESS', summary, details)
  }
}

/** CBOR is malformed, truncated or nested too deeply, or does not have the required structure. */
export class InvalidCborError extends LayerSdkError<'INPUT_CBOR'> {
  override readonly name = 'InvalidCborError'
  /** Byte offset at which reading stopped. */
  readonly offset: number
  constructor(what: string, offset: number, expected: string, got: string) {
    super('INPUT_CBOR', `${what} at byte ${offset} cannot be read.`, { expected, got })
    this.offset = offset
  }
}

/** JSON text is malformed or nested too deeply, or does not have the required form. */
export class InvalidJsonError extends LayerSdkError<'INPUT_JSON'> {
  override readonly name = 'InvalidJsonError'
  /** Offset in the text, or -1 when unknown. */
  readonly position: number
  constructor(what: string, details: { expected: string; got: string; position?: number; cause?: unknown }) {
    super('INPUT_JSON', `${what} is not valid JSON.`, details)
    this.position = details.position ?? -1
  }
}

/** An argument has the wrong type or is outside its range. The message names the expected values. */
export class InvalidArgumentError extends LayerSdkError<'INPUT_ARGUMENT'> {
  override readonly name = 'InvalidArgumentError'
  /** Name of the argument or option, e.g. `accountIndex`. */
  readonly argument: string
  constructor(argument: string, expected: string, got: unknown, cause?: unknown) {
    super('INPUT_ARGUMENT', `${argument} cannot be used.`, { expected, got: describeValue(got), cause })
    this.argument = argument
  }
}

/** The runtime has no usable global such as `fetch` or `WebSocket`. Pass one by the option that the message names. */
export class RuntimeUnsupportedError extends LayerSdkError<'RUNTIME_UNSUPPORTED'> {
  override readonly name = 'RuntimeUnsupportedError'
  /** Name of the global that is missing or cannot be used, e.g. `WebSocket`. */
  readonly missing: string
  /** `got`: the reason why a present global cannot be used. */
  constructor(missing: string, instead: string, got?: string) {
    super(
      'RUNTIME_UNSUPPORTED',
      got === undefined ? `This runtime has no ${missing}.` : `${missing} of this runtime cannot be used.`,
      {
        expected: instead,
        got: got ?? `no global ${missing}`
      }
    )
    this.missing = missing
  }
}

/** An optional package that the call needs is not installed. Install it. */
export class PackageMissingError extends LayerSdkError<'PACKAGE_MISSING'> {
  override readonly name = 'PackageMissingError'
  /** Name of the package, e.g. `scalus`. */
  readonly packageName: string
  constructor(packageName: string, cause: unknown) {
    super('PACKAGE_MISSING', `The package ${packageName} is not installed: npm install ${packageName}`, {
      expected: `${packageName} beside this package`,
      got: 'no package of that name',
      cause
    })
    this.packageName = packageName
  }
}
