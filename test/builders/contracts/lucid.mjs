// The seven contracts with Lucid. `ledger` is a head or the base ledger: its `newTx()` starts a transaction of alice's,
// `send(tx, signers)` completes, signs and submits it.

export function lucidContracts({ lucidModule, codeOf, newTx, send, alice, bob, lovelace, greeting, tokenName }) {
  const { applyDoubleCborEncoding, applyParamsToScript, Constr, Data } = lucidModule
  const { mintingPolicyToId, validatorToAddress, validatorToScriptHash } = lucidModule
  const validatorOf = (code) => ({ type: 'PlutusV3', script: applyDoubleCborEncoding(code) })
  const addressOf = (validator) => validatorToAddress('Preprod', validator)
  const inline = (value) => ({ kind: 'inline', value: Data.to(value) })
  const record = (...fields) => new Constr(0, fields)
  const addressData = (kind, hash) => record(new Constr(kind === 'key' ? 0 : 1, [hash]), new Constr(1, []))
  const addSigners = (tx, signers) => signers.reduce((each, keyHash) => each.addSignerKey(keyHash), tx)

  function helloWorld() {
    const validator = validatorOf(applyParamsToScript(codeOf('helloWorld.spend'), [greeting]))
    const address = addressOf(validator)
    return {
      address,
      lock: () => send(newTx().pay.ToContract(address, inline(alice), { lovelace })),
      unlock(utxo, words, signers) {
        const tx = newTx().collectFrom([utxo], Data.to(words)).attach.SpendingValidator(validator)
        return send(addSigners(tx, signers), signers)
      }
    }
  }

  function vesting() {
    const validator = validatorOf(codeOf('vesting.spend'))
    const address = addressOf(validator)
    return {
      address,
      lock: (timeMs) => send(newTx().pay.ToContract(address, inline(record(alice, BigInt(timeMs))), { lovelace })),
      unlock(utxo, fromMs, signers) {
        const tx = newTx().collectFrom([utxo], Data.to(record())).attach.SpendingValidator(validator)
        return send(addSigners(tx, signers).validFrom(fromMs), signers)
      }
    }
  }

  function giftCard(once) {
    const { txHash, outputIndex } = once
    const card = validatorOf(applyParamsToScript(codeOf('giftCard.mint'), [record(txHash, BigInt(outputIndex))]))
    const policyId = mintingPolicyToId(card)
    const unit = policyId + tokenName
    const burned = new Map([[policyId, new Map([[tokenName, -1n]])]])
    const gift = validatorOf(applyParamsToScript(codeOf('giftCard.spend'), [burned]))
    const address = addressOf(gift)
    return {
      address,
      policyId,
      mint(action, spent) {
        const tx = newTx()
        if (spent.length > 0) tx.collectFrom(spent)
        const redeemer = Data.to(new Constr(action === 'Mint' ? 0 : 1, []))
        tx.mintAssets({ [unit]: 1n }, redeemer).attach.MintingPolicy(card)
        return send(tx.pay.ToContract(address, inline(record()), { lovelace }))
      },
      open(utxo, quantity) {
        const tx = newTx().collectFrom([utxo], Data.to(record())).attach.SpendingValidator(gift)
        if (quantity > 0n) tx.mintAssets({ [unit]: -quantity }, Data.to(new Constr(1, []))).attach.MintingPolicy(card)
        return send(tx)
      }
    }
  }

  function swap() {
    const validator = validatorOf(codeOf('swap.spend'))
    const address = addressOf(validator)
    return {
      address,
      lock(price) {
        const value = new Map([['', new Map([['', price]])]])
        return send(newTx().pay.ToContract(address, inline(record(addressData('key', bob), value)), { lovelace }))
      },
      buy(utxo, to, amount) {
        const tx = newTx().collectFrom([utxo], Data.to(record())).attach.SpendingValidator(validator)
        return send(tx.pay.ToAddress(to, { lovelace: amount }))
      }
    }
  }

  function escrow() {
    const validator = validatorOf(codeOf('escrow.spend'))
    const address = addressOf(validator)
    return {
      address,
      lock: () => send(newTx().pay.ToContract(address, inline(record(alice, bob)), { lovelace })),
      unlock(utxo, action, signers) {
        const redeemer = Data.to(new Constr(action === 'Complete' ? 0 : 1, []))
        const tx = newTx().collectFrom([utxo], redeemer).attach.SpendingValidator(validator)
        return send(addSigners(tx, signers), signers)
      }
    }
  }

  function counter() {
    const validator = validatorOf(codeOf('counter.spend'))
    const address = addressOf(validator)
    const state = (count) => inline(record(addressData('script', validatorToScriptHash(validator)), BigInt(count)))
    return {
      address,
      lock: () => send(newTx().pay.ToContract(address, state(0), { lovelace })),
      advance(utxo, to, count) {
        const tx = newTx().collectFrom([utxo], Data.to(record())).attach.SpendingValidator(validator)
        return send(tx.pay.ToAddressWithData(to, state(count), { lovelace }))
      }
    }
  }

  function policy() {
    const validator = validatorOf(applyParamsToScript(codeOf('policy.mint'), [alice]))
    const policyId = mintingPolicyToId(validator)
    return {
      policyId,
      mint(quantity, signers) {
        const tx = newTx().mintAssets({ [policyId + tokenName]: quantity }, Data.to(record()))
        return send(addSigners(tx.attach.MintingPolicy(validator), signers), signers)
      }
    }
  }

  return { helloWorld, vesting, giftCard, swap, escrow, counter, policy }
}
