// The seven contracts with Mesh, each transaction written as the classes of @meshsdk/contract write theirs. `ledger` is
// a head or the base ledger: its `newTx()` has a MeshTxBuilder and the wallet's outputs, `send(tx, signers)` signs and
// submits it.
import { createRequire } from 'node:module'

// The ES modules of it do not load on Node 20.
const require = createRequire(import.meta.url)

export function meshContracts({ codeOf, newTx, send, slotAt, alice, bob, lovelace, greeting, tokenName }) {
  const mesh = require('@meshsdk/core')
  const { applyCborEncoding, applyParamsToScript, mConStr0, mConStr1, mOutputReference, mPubKeyAddress } = mesh
  const { mScriptAddress, resolveScriptHash, serializePlutusScript } = mesh
  const ada = (amount) => [{ unit: 'lovelace', quantity: String(amount) }]
  const addressOf = (code) => serializePlutusScript({ code, version: 'V3' }, undefined, 0).address

  function helloWorld() {
    const script = applyParamsToScript(codeOf('helloWorld.spend'), [greeting])
    const address = addressOf(script)
    return {
      address,
      async lock() {
        const { tx, utxos, changeAddress } = await newTx()
        await tx
          .txOut(address, ada(lovelace))
          .txOutInlineDatumValue(alice)
          .changeAddress(changeAddress)
          .selectUtxosFrom(utxos)
          .complete()
        return send(tx)
      },
      async unlock({ input, output }, words, signers) {
        const { tx, utxos, collateral, changeAddress } = await newTx()
        for (const keyHash of signers) tx.requiredSignerHash(keyHash)
        await tx
          .spendingPlutusScriptV3()
          .txIn(input.txHash, input.outputIndex, output.amount, output.address, 0)
          .txInInlineDatumPresent()
          .txInRedeemerValue(words)
          .txInScript(script)
          .txInCollateral(collateral.txHash, collateral.outputIndex, collateral.amount, collateral.address)
          .changeAddress(changeAddress)
          .selectUtxosFrom(utxos)
          .complete()
        return send(tx, signers)
      }
    }
  }

  function vesting() {
    const script = applyCborEncoding(codeOf('vesting.spend'))
    const address = addressOf(script)
    return {
      address,
      async lock(timeMs) {
        const { tx, utxos, changeAddress } = await newTx()
        await tx
          .txOut(address, ada(lovelace))
          .txOutInlineDatumValue(mConStr0([alice, timeMs]))
          .changeAddress(changeAddress)
          .selectUtxosFrom(utxos)
          .complete()
        return send(tx)
      },
      async unlock({ input, output }, fromMs, signers) {
        const { tx, utxos, collateral, changeAddress } = await newTx()
        for (const keyHash of signers) tx.requiredSignerHash(keyHash)
        await tx
          .spendingPlutusScriptV3()
          .txIn(input.txHash, input.outputIndex, output.amount, output.address, 0)
          .txInInlineDatumPresent()
          .txInRedeemerValue(mConStr0([]))
          .txInScript(script)
          .txInCollateral(collateral.txHash, collateral.outputIndex, collateral.amount, collateral.address)
          .invalidBefore(slotAt(fromMs))
          .invalidHereafter(slotAt(fromMs) + 600)
          .changeAddress(changeAddress)
          .selectUtxosFrom(utxos)
          .complete()
        return send(tx, signers)
      }
    }
  }

  function giftCard(once) {
    const { txHash, outputIndex } = once.input
    const card = applyParamsToScript(codeOf('giftCard.mint'), [mOutputReference(txHash, outputIndex)])
    const policyId = resolveScriptHash(card, 'V3')
    const burned = new Map([[policyId, new Map([[tokenName, -1]])]])
    const gift = applyParamsToScript(codeOf('giftCard.spend'), [burned])
    const address = addressOf(gift)
    return {
      address,
      policyId,
      async mint(action, spent) {
        const { tx, utxos, collateral, changeAddress } = await newTx()
        for (const { input, output } of spent)
          tx.txIn(input.txHash, input.outputIndex, output.amount, output.address, 0)
        await tx
          .mintPlutusScriptV3()
          .mint('1', policyId, tokenName)
          .mintingScript(card)
          .mintRedeemerValue(action === 'Mint' ? mConStr0([]) : mConStr1([]))
          .txOut(address, ada(lovelace))
          .txOutInlineDatumValue(mConStr0([]))
          .txInCollateral(collateral.txHash, collateral.outputIndex, collateral.amount, collateral.address)
          .changeAddress(changeAddress)
          .selectUtxosFrom(utxos)
          .complete()
        return send(tx)
      },
      async open({ input, output }, quantity) {
        const { tx, utxos, collateral, changeAddress } = await newTx()
        if (quantity > 0n)
          tx.mintPlutusScriptV3()
            .mint(String(-quantity), policyId, tokenName)
            .mintingScript(card)
            .mintRedeemerValue(mConStr1([]))
        await tx
          .spendingPlutusScriptV3()
          .txIn(input.txHash, input.outputIndex, output.amount, output.address, 0)
          .txInInlineDatumPresent()
          .txInRedeemerValue(mConStr0([]))
          .txInScript(gift)
          .txInCollateral(collateral.txHash, collateral.outputIndex, collateral.amount, collateral.address)
          .changeAddress(changeAddress)
          .selectUtxosFrom(utxos)
          .complete()
        return send(tx)
      }
    }
  }

  function swap() {
    const script = applyCborEncoding(codeOf('swap.spend'))
    const address = addressOf(script)
    return {
      address,
      async lock(price) {
        const { tx, utxos, changeAddress } = await newTx()
        const value = new Map([['', new Map([['', price]])]])
        await tx
          .txOut(address, ada(lovelace))
          .txOutInlineDatumValue(mConStr0([mPubKeyAddress(bob), value]))
          .changeAddress(changeAddress)
          .selectUtxosFrom(utxos)
          .complete()
        return send(tx)
      },
      async buy({ input, output }, to, amount) {
        const { tx, utxos, collateral, changeAddress } = await newTx()
        await tx
          .spendingPlutusScriptV3()
          .txIn(input.txHash, input.outputIndex, output.amount, output.address, 0)
          .txInInlineDatumPresent()
          .txInRedeemerValue(mConStr0([]))
          .txInScript(script)
          .txOut(to, ada(amount))
          .txInCollateral(collateral.txHash, collateral.outputIndex, collateral.amount, collateral.address)
          .changeAddress(changeAddress)
          .selectUtxosFrom(utxos)
          .complete()
        return send(tx)
      }
    }
  }

  function escrow() {
    const script = applyCborEncoding(codeOf('escrow.spend'))
    const address = addressOf(script)
    return {
      address,
      async lock() {
        const { tx, utxos, changeAddress } = await newTx()
        await tx
          .txOut(address, ada(lovelace))
          .txOutInlineDatumValue(mConStr0([alice, bob]))
          .changeAddress(changeAddress)
          .selectUtxosFrom(utxos)
          .complete()
        return send(tx)
      },
      async unlock({ input, output }, action, signers) {
        const { tx, utxos, collateral, changeAddress } = await newTx()
        for (const keyHash of signers) tx.requiredSignerHash(keyHash)
        await tx
          .spendingPlutusScriptV3()
          .txIn(input.txHash, input.outputIndex, output.amount, output.address, 0)
          .txInInlineDatumPresent()
          .txInRedeemerValue(action === 'Complete' ? mConStr0([]) : mConStr1([]))
          .txInScript(script)
          .txInCollateral(collateral.txHash, collateral.outputIndex, collateral.amount, collateral.address)
          .changeAddress(changeAddress)
          .selectUtxosFrom(utxos)
          .complete()
        return send(tx, signers)
      }
    }
  }

  function counter() {
    const script = applyCborEncoding(codeOf('counter.spend'))
    const address = addressOf(script)
    const state = (count) => mConStr0([mScriptAddress(resolveScriptHash(script, 'V3')), count])
    return {
      address,
      async lock() {
        const { tx, utxos, changeAddress } = await newTx()
        await tx
          .txOut(address, ada(lovelace))
          .txOutInlineDatumValue(state(0))
          .changeAddress(changeAddress)
          .selectUtxosFrom(utxos)
          .complete()
        return send(tx)
      },
      async advance({ input, output }, to, count) {
        const { tx, utxos, collateral, changeAddress } = await newTx()
        await tx
          .spendingPlutusScriptV3()
          .txIn(input.txHash, input.outputIndex, output.amount, output.address, 0)
          .txInInlineDatumPresent()
          .txInRedeemerValue(mConStr0([]))
          .txInScript(script)
          .txOut(to, ada(lovelace))
          .txOutInlineDatumValue(state(count))
          .txInCollateral(collateral.txHash, collateral.outputIndex, collateral.amount, collateral.address)
          .changeAddress(changeAddress)
          .selectUtxosFrom(utxos)
          .complete()
        return send(tx)
      }
    }
  }

  function policy() {
    const script = applyParamsToScript(codeOf('policy.mint'), [alice])
    const policyId = resolveScriptHash(script, 'V3')
    return {
      policyId,
      async mint(quantity, signers) {
        const { tx, utxos, collateral, changeAddress } = await newTx()
        for (const keyHash of signers) tx.requiredSignerHash(keyHash)
        await tx
          .mintPlutusScriptV3()
          .mint(String(quantity), policyId, tokenName)
          .mintingScript(script)
          .mintRedeemerValue(mConStr0([]))
          .txInCollateral(collateral.txHash, collateral.outputIndex, collateral.amount, collateral.address)
          .changeAddress(changeAddress)
          .selectUtxosFrom(utxos)
          .complete()
        return send(tx, signers)
      }
    }
  }

  return { helloWorld, vesting, giftCard, swap, escrow, counter, policy }
}
