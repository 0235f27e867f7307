// The seven contracts of test/support/sevenContracts.ts with each builder, in a head and on the base ledger, with right
// and wrong redeemers. The node says what became of the money.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import prettier from 'prettier'
import { createHeadClient } from '../../../dist/client.js'
import { startDevNode } from '../../../dist/devnode.js'
import { RpcProvider } from '../../../dist/providers.js'
import { scalusEvaluator } from '../../../dist/scalus.js'
import { TxBuilder } from '../../../dist/tx.js'
import { addressInfo } from '../../../dist/utils.js'
import { AppWallet } from '../../../dist/wallet.js'
import { onChain } from '../base.mjs'
import { ADA, WORDS } from '../head.mjs'
import { BUILDERS } from './ledgers.mjs'

const GREETING = Buffer.from('Hello, World!').toString('hex')
const TOKEN_NAME = 'cafe'
const LOVELACE = 5n * ADA
const HOUR_MS = 3_600_000
/** One for all: its worker loads the library once. */
const evaluator = scalusEvaluator()

export async function contractTests(test) {
  await linesTest(test)
  const { BLUEPRINT } = await loadContracts()
  for (const builder of BUILDERS) await builderTests(test, builder, BLUEPRINT)
}

/** The compiled contracts of the jest tests: their terms are written in TypeScript. */
async function loadContracts() {
  const entry = fileURLToPath(new URL('../../support/sevenContracts.ts', import.meta.url))
  const options = { bundle: true, write: false, format: 'esm', platform: 'node', logLevel: 'error' }
  const { outputFiles } = await build({ entryPoints: [entry], ...options })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}

async function builderTests(test, { name, ledger, program }, blueprint) {
  const node = await startDevNode({
    port: 0,
    scriptEvaluator: evaluator,
    evaluatorTimeoutMs: 60_000,
    timings: { blockMs: 5, depositDelayMs: 5, snapshotIntervalMs: 5, invalidRetryMs: 10 }
  })
  const { fetcher, submitter } = new RpcProvider({ apiEndpoint: node.rpcUrl, network: 'preprod' })
  const [alice, bob] = [node.phrase.trim().split(' '), WORDS].map((words) => {
    const wallet = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words }, fetcher, submitter })
    const { baseAddressBech32: address, enterpriseAddressBech32: enterprise } = wallet.getAccount(0)
    return { wallet, address, enterprise, keyHash: addressInfo(address).payment.hash }
  })
  const head = createHeadClient({ url: node.url, wallet: alice.wallet, evaluator })
  try {
    await head.connect()
    await head.open()
    for (const amount of [200n, 10n, 10n]) await head.deposit({ amount: amount * ADA })
    await setAside(node, alice)
    for (const [where, on, utxosAt] of [
      ['in a head', head, (address) => node.headUtxos(address)],
      ['on the base ledger', null, (address) => node.baseUtxos(address)]
    ]) {
      const reached = await ledger({ node, head: on, evaluator, signers: { alice, bob } })
      const contracts = program({
        ...reached,
        blueprint,
        codeOf: (title) => blueprint.validators.find((each) => each.title === title).compiledCode,
        alice: alice.keyHash,
        bob: bob.keyHash,
        lovelace: LOVELACE,
        greeting: GREETING,
        tokenName: TOKEN_NAME
      })
      await sevenTests(test, `${name}, seven contracts ${where}`, {
        contracts,
        alice,
        bob,
        find: reached.find,
        utxosAt
      })
    }
  } finally {
    await head.disconnect()
    await node.stop()
  }
}

/** Outputs of pure ada on the base ledger, for Mesh's collateral. */
export async function setAside(node, { wallet, address }) {
  const { fetcher, submitter } = new RpcProvider({ apiEndpoint: node.rpcUrl, network: 'preprod' })
  const builder = new TxBuilder(await fetcher.fetchProtocolParameters()).addInputs(
    await fetcher.fetchAddressUTxOs(address)
  )
  const tx = builder
    .pay(address, 10n * ADA)
    .pay(address, 10n * ADA)
    .changeTo(address)
    .build()
  await submitter.submitTx(await wallet.signTx(tx.cborHex, true))
  await onChain(node, tx.txId)
}

async function sevenTests(test, name, { contracts, alice, bob, find, utxosAt }) {
  const lovelaceAt = (address) =>
    utxosAt(address).reduce((sum, { output }) => sum + BigInt(output.amount[0].quantity), 0n)
  const tokensOf = (address, policyId) =>
    utxosAt(address)
      .flatMap(({ output }) => output.amount)
      .filter(({ unit }) => unit === policyId + TOKEN_NAME)
      .reduce((sum, { quantity }) => sum + BigInt(quantity), 0n)
  const found = (txId, address) => find({ txHash: txId, index: 0 }, address)
  /** Refused before anything is spent. */
  const refused = async (run) => {
    const before = JSON.stringify(utxosAt(alice.address))
    await assert.rejects(run)
    assert.equal(JSON.stringify(utxosAt(alice.address)), before)
  }

  await test(name, 'hello world: opens for its owner with the greeting', async () => {
    const { address, lock, unlock } = contracts.helloWorld()
    const locked = await found(await lock(), address)
    assert.equal(lovelaceAt(address), LOVELACE)
    await refused(() => unlock(locked, '00', [alice.keyHash]))
    await refused(() => unlock(locked, GREETING, []))
    await unlock(locked, GREETING, [alice.keyHash])
    assert.equal(lovelaceAt(address), 0n)
  })

  await test(name, 'vesting: opens for the beneficiary once the time has come', async () => {
    const { address, lock, unlock } = contracts.vesting()
    const past = Date.now() - 60_000
    const early = await found(await lock(Date.now() + HOUR_MS), address)
    const due = await found(await lock(past - 60_000), address)
    await refused(() => unlock(early, past, [alice.keyHash]))
    await refused(() => unlock(due, past, []))
    await unlock(due, past, [alice.keyHash])
    assert.equal(lovelaceAt(address), LOVELACE)
  })

  await test(name, 'gift card: minted once, opened by burning the card', async () => {
    const largest = utxosAt(alice.address).reduce((most, each) =>
      BigInt(each.output.amount[0].quantity) > BigInt(most.output.amount[0].quantity) ? each : most
    )
    const once = await find(largest.input, alice.address)
    const { address, policyId, mint, open } = contracts.giftCard(once)
    await refused(() => mint('Burn', [once]))
    const minted = await mint('Mint', [once])
    assert.equal(tokensOf(alice.address, policyId), 1n)
    await refused(() => mint('Mint', []))
    const gift = await found(minted, address)
    await refused(() => open(gift, 0n))
    await open(gift, 1n)
    assert.deepEqual([lovelaceAt(address), tokensOf(alice.address, policyId)], [0n, 0n])
  })

  await test(name, 'swap: opens to who pays the price to the seller in the first output', async () => {
    const { address, lock, buy } = contracts.swap()
    const price = 3n * ADA
    const locked = await found(await lock(price), address)
    await refused(() => buy(locked, bob.enterprise, price - 1n))
    await refused(() => buy(locked, alice.enterprise, price))
    await buy(locked, bob.enterprise, price)
    assert.deepEqual([lovelaceAt(address), lovelaceAt(bob.enterprise)], [0n, price])
  })

  await test(name, 'escrow: completed by both, cancelled by the first', async () => {
    const { address, lock, unlock } = contracts.escrow()
    const [first, second] = [await found(await lock(), address), await found(await lock(), address)]
    await refused(() => unlock(first, 'Complete', [alice.keyHash]))
    await refused(() => unlock(first, 'Cancel', [bob.keyHash]))
    await unlock(first, 'Complete', [alice.keyHash, bob.keyHash])
    assert.equal(lovelaceAt(address), LOVELACE)
    await unlock(second, 'Cancel', [alice.keyHash])
    assert.equal(lovelaceAt(address), 0n)
  })

  await test(name, 'state machine: each step counts one further, at the same address', async () => {
    const { address, lock, advance } = contracts.counter()
    let state = await found(await lock(), address)
    await refused(() => advance(state, address, 2))
    await refused(() => advance(state, alice.address, 1))
    for (let count = 1; count <= 3; count++) state = await found(await advance(state, address, count), address)
    const [{ output }, ...others] = utxosAt(address)
    assert.deepEqual([others.length, output.inlineDatum.slice(-4)], [0, '03ff'])
  })

  await test(name, 'minting policy: mints and burns for its owner', async () => {
    const { policyId, mint } = contracts.policy()
    await refused(() => mint(3n, []))
    await mint(3n, [alice.keyHash])
    await mint(-1n, [alice.keyHash])
    assert.equal(tokensOf(alice.address, policyId), 2n)
  })
}

/** Lines of a program: none that is blank or a comment, as the project's prettier lays them out. */
async function linesOf(file) {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const text = readFileSync(path, 'utf8')
  const config = { ...(await prettier.resolveConfig(path)), filepath: path }
  assert.equal(await prettier.format(text, config), text, `${file} is formatted`)
  return text.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length
}

async function linesTest(test) {
  await test('TxBuilder', 'writes the seven contracts in at most half the lines of Mesh', async () => {
    const [ours, meshs] = [await linesOf('./txBuilder.mjs'), await linesOf('./mesh.mjs')]
    assert.ok(2 * ours <= meshs, `${ours} lines, and ${meshs} with Mesh`)
  })
}
