// The seven contracts with Blaze. `ledger` is a head or the base ledger: its `newTx()` starts a transaction of alice's,
// `send(tx, signers)` completes, signs and submits it.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export function blazeContracts({ codeOf, newTx, send, slotAt, alice, bob, lovelace, greeting, tokenName }) {
  const { applyParams, cborToScript, Core } = require('@blaze-cardano/sdk')
  const { addressFromValidator, Address, AssetName, Datum, NetworkId, PlutusData, PolicyId } = Core
  const { TransactionOutput, Value } = Core
  const bytes = (hex) => Buffer.from(hex, 'hex')
  const data = (core) => PlutusData.fromCore(core)
  const constr = (index, ...fields) => ({ constructor: BigInt(index), fields: { items: fields } })
  const map = (...entries) => ({ data: new Map(entries) })
  const addressData = (kind, hash) => constr(0, constr(kind === 'key' ? 0 : 1, bytes(hash)), constr(1))
  const scriptOf = (title, ...parameters) =>
    cborToScript(applyParams(codeOf(title), ...parameters.map(data)), 'PlutusV3')
  const addressOf = (script) => addressFromValidator(NetworkId.Testnet, script)
  const lock = (address, datum) => send(newTx().lockLovelace(address, lovelace, Datum.newInlineData(data(datum))))
  const addSigners = (tx, signers) => signers.reduce((each, keyHash) => each.addRequiredSigner(keyHash), tx)

  function helloWorld() {
    const script = scriptOf('helloWorld.spend', bytes(greeting))
    const address = addressOf(script)
    return {
      address: address.toBech32(),
      lock: () => lock(address, bytes(alice)),
      unlock(utxo, words, signers) {
        const tx = newTx()
          .addInput(utxo, data(bytes(words)))
          .provideScript(script)
        return send(addSigners(tx, signers), signers)
      }
    }
  }

  function vesting() {
    const script = scriptOf('vesting.spend')
    const address = addressOf(script)
    return {
      address: address.toBech32(),
      lock: (timeMs) => lock(address, constr(0, bytes(alice), BigInt(timeMs))),
      unlock(utxo, fromMs, signers) {
        const tx = newTx()
          .addInput(utxo, data(constr(0)))
          .provideScript(script)
        tx.setValidFrom(slotAt(fromMs)).setValidUntil(slotAt(fromMs) + 600)
        return send(addSigners(tx, signers), signers)
      }
    }
  }

  function giftCard(once) {
    const input = once.input()
    const card = scriptOf('giftCard.mint', constr(0, bytes(input.transactionId()), input.index()))
    const gift = scriptOf('giftCard.spend', map([bytes(card.hash()), map([bytes(tokenName), -1n])]))
    const address = addressOf(gift)
    const assets = (quantity) => new Map([[AssetName(tokenName), quantity]])
    return {
      address: address.toBech32(),
      policyId: card.hash(),
      mint(action, spent) {
        const tx = newTx().lockLovelace(address, lovelace, Datum.newInlineData(data(constr(0))))
        for (const utxo of spent) tx.addInput(utxo)
        const redeemer = data(constr(action === 'Mint' ? 0 : 1))
        return send(tx.addMint(PolicyId(card.hash()), assets(1n), redeemer).provideScript(card))
      },
      open(utxo, quantity) {
        const tx = newTx()
          .addInput(utxo, data(constr(0)))
          .provideScript(gift)
        if (quantity > 0n) tx.addMint(PolicyId(card.hash()), assets(-quantity), data(constr(1))).provideScript(card)
        return send(tx)
      }
    }
  }

  function swap() {
    const script = scriptOf('swap.spend')
    const address = addressOf(script)
    return {
      address: address.toBech32(),
      lock: (price) => lock(address, constr(0, addressData('key', bob), map([bytes(''), map([bytes(''), price])]))),
      buy: (utxo, to, amount) =>
        send(
          newTx()
            .addInput(utxo, data(constr(0)))
            .provideScript(script)
            .payLovelace(Address.fromBech32(to), amount)
        )
    }
  }

  function escrow() {
    const script = scriptOf('escrow.spend')
    const address = addressOf(script)
    return {
      address: address.toBech32(),
      lock: () => lock(address, constr(0, bytes(alice), bytes(bob))),
      unlock(utxo, action, signers) {
        const redeemer = data(constr(action === 'Complete' ? 0 : 1))
        return send(addSigners(newTx().addInput(utxo, redeemer).provideScript(script), signers), signers)
      }
    }
  }

  function counter() {
    const script = scriptOf('counter.spend')
    const address = addressOf(script)
    const state = (count) => constr(0, addressData('script', script.hash()), BigInt(count))
    return {
      address: address.toBech32(),
      lock: () => lock(address, state(0)),
      advance(utxo, to, count) {
        const output = new TransactionOutput(Address.fromBech32(to), new Value(lovelace))
        output.setDatum(Datum.newInlineData(data(state(count))))
        const tx = newTx()
          .addInput(utxo, data(constr(0)))
          .provideScript(script)
        return send(tx.addOutput(output))
      }
    }
  }

  function policy() {
    const script = scriptOf('policy.mint', bytes(alice))
    return {
      policyId: script.hash(),
      mint(quantity, signers) {
        const assets = new Map([[AssetName(tokenName), quantity]])
        const tx = newTx()
          .addMint(PolicyId(script.hash()), assets, data(constr(0)))
          .provideScript(script)
        return send(addSigners(tx, signers), signers)
      }
    }
  }

  return { helloWorld, vesting, giftCard, swap, escrow, counter, policy }
}
