import { encodeDepositDatum } from '../../src/codec/depositDatum'
import { bytesToHex } from '../../src/codec/hex'
import { recognise, recogniseDeposits } from '../../src/recognition'
import type { Fetcher } from '../../src/types/provider'
import type { UTxO } from '../../src/types/utxo'
import { asOf, HEAD_ID, material, openHead, OWN } from './madeHead'
import { SCRIPT_ADDRESS } from './headOutputs'

jest.mock('@noble/curves/bls12-381.js', () => {
  throw new Error('the curve of pairings was loaded')
})

const amount = [{ unit: 'lovelace', quantity: '7000000' }]
const deadlineMs = asOf.timeMs + 1
const deposited = [{ input: { txHash: 'cc'.repeat(32), index: 0 }, output: { address: OWN, amount } }]
const deposit: UTxO = {
  input: { txHash: 'de'.repeat(32), index: 0 },
  output: {
    address: SCRIPT_ADDRESS,
    amount,
    inlineDatum: bytesToHex(encodeDepositDatum({ headId: HEAD_ID, deadlineMs, deposited }))
  }
}

describe('deposits alone', () => {
  it('are recognised without the curve of pairings', async () => {
    const fetcher = {
      fetchAddressUTxOs: () => Promise.resolve([deposit]),
      fetchTip: () => Promise.resolve({ slot: asOf.timeMs / 1000, hash: '00', height: 1 })
    } as unknown as Fetcher
    const slotConfig = { zeroTime: 0, zeroSlot: 0, slotLength: 1000, startEpoch: 0, epochLength: 432_000 }
    const options = { provider: { fetcher }, addresses: [OWN], depositAddress: SCRIPT_ADDRESS, slotConfig }
    expect((await recogniseDeposits(options)).deposits).toMatchObject([{ amount, state: 'PENDING_DEPOSIT' }])
    const initial = { tag: 'InitialSnapshot', headId: HEAD_ID }
    expect(await recognise(material(openHead(0), initial, { deposits: [deposit] }))).toMatchObject({
      state: 'VERIFIED_IN_HEAD',
      deposits: [{ amount }]
    })
  })

  it('would fail if it were loaded', async () => {
    await expect(import('@noble/curves/bls12-381.js')).rejects.toThrow('was loaded')
  })
})
