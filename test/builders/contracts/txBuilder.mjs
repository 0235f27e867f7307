// The seven contracts with TxBuilder. `ledger` is a head or the base ledger: its `newTx()` starts a transaction of
// alice's, `send(tx, signers)` signs and submits it.
import { loadBlueprint } from '../../../dist/tx.js'

export function txBuilderContracts({ blueprint, newTx, send, slotAt, alice, bob, lovelace, greeting, tokenName }) {
  const contracts = loadBlueprint(blueprint)

  function helloWorld() {
    const contract = contracts.get('helloWorld.spend').apply(greeting)
    const address = contract.address(0)
    return {
      address,
      lock: async () => send((await newTx()).pay(address, lovelace, { inlineDatum: contract.datum(alice) }).build()),
      async unlock(utxo, words, signers) {
        const tx = (await newTx()).spendScript(utxo, { redeemer: contract.redeemer(words), script: contract.script })
        for (const keyHash of signers) tx.requireSigner(keyHash)
        return send(await tx.build({}), signers)
      }
    }
  }

  function vesting() {
    const contract = contracts.get('vesting.spend')
    const address = contract.address(0)
    return {
      address,
      async lock(timeMs) {
        const tx = (await newTx()).pay(address, lovelace, { inlineDatum: contract.datum([alice, timeMs]) })
        return send(tx.build())
      },
      async unlock(utxo, fromMs, signers) {
        const tx = (await newTx()).spendScript(utxo, { redeemer: contract.redeemer([]), script: contract.script })
        tx.validFrom(slotAt(fromMs)).validTo(slotAt(fromMs) + 600)
        for (const keyHash of signers) tx.requireSigner(keyHash)
        return send(await tx.build({}), signers)
      }
    }
  }

  function giftCard(once) {
    const card = contracts.get('giftCard.mint').apply([once.input.txHash, once.input.index])
    const gift = contracts.get('giftCard.spend').apply([[card.hash, [[tokenName, -1]]]])
    const address = gift.address(0)
    return {
      address,
      policyId: card.hash,
      async mint(action, spent) {
        const tx = (await newTx()).spend(spent).pay(address, lovelace, { inlineDatum: gift.datum([]) })
        tx.mintScript(card.hash, { [tokenName]: 1n }, { redeemer: card.redeemer(action), script: card.script })
        return send(await tx.build({}))
      },
      async open(utxo, burned) {
        const tx = (await newTx()).spendScript(utxo, { redeemer: gift.redeemer([]), script: gift.script })
        const witness = { redeemer: card.redeemer('Burn'), script: card.script }
        if (burned > 0n) tx.mintScript(card.hash, { [tokenName]: -burned }, witness)
        return send(await tx.build({}))
      }
    }
  }

  function swap() {
    const contract = contracts.get('swap.spend')
    const address = contract.address(0)
    return {
      address,
      async lock(price) {
        const seller = { payment: { Key: [bob] }, stake: null }
        const inlineDatum = contract.datum([seller, [['', [['', price]]]]])
        return send((await newTx()).pay(address, lovelace, { inlineDatum }).build())
      },
      async buy(utxo, to, amount) {
        const tx = (await newTx()).spendScript(utxo, { redeemer: contract.redeemer([]), script: contract.script })
        return send(await tx.pay(to, amount).build({}))
      }
    }
  }

  function escrow() {
    const contract = contracts.get('escrow.spend')
    const address = contract.address(0)
    return {
      address,
      lock: async () =>
        send((await newTx()).pay(address, lovelace, { inlineDatum: contract.datum([alice, bob]) }).build()),
      async unlock(utxo, action, signers) {
        const tx = (await newTx()).spendScript(utxo, { redeemer: contract.redeemer(action), script: contract.script })
        for (const keyHash of signers) tx.requireSigner(keyHash)
        return send(await tx.build({}), signers)
      }
    }
  }

  function counter() {
    const contract = contracts.get('counter.spend')
    const address = contract.address(0)
    const state = (count) => contract.datum([{ payment: { Script: [contract.hash] }, stake: null }, count])
    return {
      address,
      state,
      lock: async () => send((await newTx()).pay(address, lovelace, { inlineDatum: state(0) }).build()),
      async advance(utxo, to, count) {
        const tx = (await newTx()).spendScript(utxo, { redeemer: contract.redeemer([]), script: contract.script })
        return send(await tx.pay(to, lovelace, { inlineDatum: state(count) }).build({}))
      }
    }
  }

  function policy() {
    const { hash, script, redeemer } = contracts.get('policy.mint').apply(alice)
    return {
      policyId: hash,
      async mint(quantity, signers) {
        const tx = (await newTx()).mintScript(hash, { [tokenName]: quantity }, { redeemer: redeemer([]), script })
        for (const keyHash of signers) tx.requireSigner(keyHash)
        return send(await tx.build({}), signers)
      }
    }
  }

  return { helloWorld, vesting, giftCard, swap, escrow, counter, policy }
}
