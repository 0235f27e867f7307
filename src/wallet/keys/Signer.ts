/** A key pair that can sign; the secret half stays inside. */
export interface Signer {
  /** 32 bytes. */
  readonly publicKey: Uint8Array
  /** Blake2b-224 of the public key: hex, 56 characters. */
  readonly keyHash: string
  /** Ed25519 signature, 64 bytes. */
  sign(message: Uint8Array): Uint8Array
}

/** A key of a tree, which can be exported. */
export interface ExportableSigner extends Signer {
  /** The secret as `xprv1...`. */
  toXprvBech32(): string
}

/** The two signers of an address. */
export interface Signers {
  readonly payment: ExportableSigner
  readonly stake: ExportableSigner
}
