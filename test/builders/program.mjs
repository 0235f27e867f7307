// One program for each builder, written against the builder alone: the provider decides on the ledger.
import { ANYBODY_MINTS, SAME_AS_DATUM } from './scripts.mjs'

const ADA = 1_000_000n
const DATUM = 77n

/** Pays, locks at a script, unlocks and mints. @returns what the ledger shows of it, the same on every ledger */
export async function program({ pay, scripts }, to) {
  const [locked, minted] = [
    await scripts.lovelaceAt(SAME_AS_DATUM),
    await scripts.assetsOf(scripts.unitOf(ANYBODY_MINTS))
  ]
  await scripts.awaitTx(await pay(to, 2n * ADA))
  const lockTxId = await scripts.lock(SAME_AS_DATUM, DATUM, 6n * ADA)
  await scripts.awaitTx(lockTxId)
  const during = (await scripts.lovelaceAt(SAME_AS_DATUM)) - locked
  await scripts.awaitTx(await scripts.unlock(lockTxId, SAME_AS_DATUM, DATUM))
  await scripts.awaitTx(await scripts.mintPlutus(ANYBODY_MINTS, 7n))
  return {
    locked: during,
    left: (await scripts.lovelaceAt(SAME_AS_DATUM)) - locked,
    minted: (await scripts.assetsOf(scripts.unitOf(ANYBODY_MINTS))) - minted
  }
}
