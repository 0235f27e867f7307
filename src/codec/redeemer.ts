/** Purposes of redeemers in the order of their numbers (Conway CDDL, `redeemer_tag`). */
export const REDEEMER_TAGS = ['spend', 'mint', 'cert', 'reward', 'vote', 'propose'] as const
/** Purpose of a redeemer. */
export type RedeemerTag = (typeof REDEEMER_TAGS)[number]

/** Returns the name of a redeemer for messages and maps, e.g. `spend#0`. */
export const redeemerName = ({ tag, index }: { readonly tag: RedeemerTag; readonly index: number }): string =>
  `${tag}#${index}`
