/** Major types of CBOR. @see RFC 8949 3.1 */
export const MAJOR = { UINT: 0, NEGATIVE: 1, BYTES: 2, TEXT: 3, ARRAY: 4, MAP: 5, TAG: 6, SIMPLE: 7 } as const
