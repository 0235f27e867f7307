import type { LayerBridge } from 'layer-sdk/bridge'
import { TxBuilder } from 'layer-sdk/tx'
import type { ChainCliWallet } from 'layer-sdk/wallet'
import type { UTxO } from '../../../src/types/utxo'

export type Outcome = 'confirmed' | 'rejected' | 'unknown' | 'not sent'

const SUBMIT_TIMEOUT_MS = 20_000
const PAID = 1_000_000n
/** The other address is paid so often: the lane's money has to last. */
const OTHERS_EVERY = 10

/** Pays from one output again and again, through a bridge that suffers. */
export class Payer {
  readonly outcomes = new Map<string, Outcome>()
  readonly #bridge: LayerBridge
  /** Connected to the node itself. */
  readonly #direct: LayerBridge
  readonly #wallet: ChainCliWallet
  readonly #to: string
  /** Outputs that the lane has had: the first, and one of each payment. */
  readonly #lane: UTxO[]
  #slot: number

  constructor(parts: {
    bridge: LayerBridge
    direct: LayerBridge
    wallet: ChainCliWallet
    to: string
    first: UTxO
    slot: number
  }) {
    this.#bridge = parts.bridge
    this.#direct = parts.direct
    this.#wallet = parts.wallet
    this.#to = parts.to
    this.#lane = [parts.first]
    this.#slot = parts.slot
  }

  async run(isRunning: () => boolean): Promise<void> {
    while (isRunning()) {
      // Which of its payments the node has, it learns from the node itself.
      const utxo = [...this.#lane]
        .reverse()
        .find(({ input }) => this.#direct.isUnspent(`${input.txHash}#${input.index}`) === true)
      const outcome = utxo === undefined || !this.#bridge.connected() ? 'not sent' : await this.#pay(utxo)
      if (outcome !== 'confirmed') await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  async #pay(utxo: UTxO): Promise<Outcome> {
    const address = this.#wallet.getAddressBech32()
    // The validity makes each try a transaction of its own: nothing is submitted twice here.
    const builder = new TxBuilder().spend([utxo]).changeTo(address).validUntil(this.#slot++)
    const built = (this.#slot % OTHERS_EVERY === 0 ? builder.pay(this.#to, PAID) : builder).build()
    const cborHex = await this.#wallet.signTx(built.cborHex)
    const index = built.outputs.findIndex((output) => output.address === address)
    this.#lane.push({ input: { txHash: built.txId, index }, output: built.outputs[index]! })
    const outcome = await this.#submit({ cborHex, txId: built.txId })
    this.outcomes.set(built.txId, outcome)
    return outcome
  }

  async #submit(transaction: { cborHex: string; txId: string }): Promise<Outcome> {
    try {
      await this.#bridge.submitTxSync(transaction, { timeout: SUBMIT_TIMEOUT_MS })
      return 'confirmed'
    } catch (error) {
      const { tag, outcome } = error as { tag?: string; outcome?: string }
      if (tag === 'NotConnected') return 'not sent'
      if (outcome === 'none' || outcome === 'unknown') return outcome === 'none' ? 'rejected' : outcome
      throw error
    }
  }
}
