/**
 * What a user does with the package, once, for every runtime. Nothing is used here but the language and the package.
 * `sdk` holds the package's public subpaths as the runtime loaded them. Every step is a check; what must be the same to
 * the byte everywhere goes into `values`.
 */

/** The scenario's wallet: published test words, never money. */
export const WORDS = 'test walk nut penalty hip pave soap entry language right filter choice'.split(' ')
const RECEIVER = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const POLICY = 'f43a62fdc3965df486de8a0d32fe800963589c41b38946602a0dc535'
// Signed over the snapshot below with a key of published bytes.
const VERIFY_PARTY = 'ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c'
const VERIFY_SIGNATURE =
  'f785cd87bb30044c8c554d692a2428ed553cb54298623cffddf73c9f05bf3725ba207b42f590bd152c1f9ffc62d0f2a8402c18437def80741f9ff8059244d504'
const STEP_LIMIT_MS = 20_000

/** Runs the steps that need no network. */
export async function offline(sdk) {
  const report = createReport()
  const { AppWallet, ChainCliWallet, EmbeddedWallet, verifyData } = sdk.wallet
  let wallet
  await report.check('create a wallet', async () => {
    const key = { type: 'mnemonic', words: WORDS, password: 'pässwörd' }
    wallet = await AppWallet.create({ networkId: 0, key: { type: 'mnemonic', words: WORDS } })
    same(
      wallet.getPaymentAddress(),
      new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: WORDS } }).getPaymentAddress()
    )
    const rootHex = EmbeddedWallet.mnemonicToPrivateKeyHex(WORDS)
    return {
      rootHex,
      rootBech32: EmbeddedWallet.privateKeyHexToBech32(rootHex),
      withPassword: new AppWallet({ networkId: 1, key }).getPaymentAddress(),
      withPasswordByWebCrypto: (await AppWallet.create({ networkId: 1, key })).getPaymentAddress()
    }
  })
  await report.check('derive keys and addresses', () => {
    const derived = {}
    for (const [account, index] of [
      [0, 0],
      [0, 1],
      [3, 7],
      [2147483647, 2147483647]
    ]) {
      const { baseAddressBech32, enterpriseAddressBech32, rewardAddressBech32, paymentKey, stakeKey } =
        wallet.getAccount(account, index)
      derived[`${account}/${index}`] = [
        baseAddressBech32,
        enterpriseAddressBech32,
        rewardAddressBech32,
        paymentKey.publicKeyHex,
        paymentKey.keyHashHex,
        paymentKey.toXprvBech32(),
        stakeKey.publicKeyHex
      ]
    }
    return derived
  })
  await report.check('make random phrases and keys', () => {
    const phrases = [128, 160, 192, 224, 256].map((strength) => AppWallet.brew(strength))
    same(
      phrases.map((phrase) => phrase.split(' ').length),
      [12, 15, 18, 21, 24]
    )
    for (const phrase of phrases)
      new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: phrase.split(' ') } }).getPaymentAddress()
    const { sk, vk } = sdk.utils.chainCliKeygen()
    same(sdk.utils.genVkey(sk), vk)
  })
  await report.check('sign and verify data', async () => {
    const signed = {}
    for (const [name, address] of [
      ['payment', wallet.getPaymentAddress()],
      ['reward', wallet.getRewardAddress()]
    ]) {
      const payload = `Grüße, ${name} 🚀`
      const { signature, key } = await wallet.signData(address, payload)
      same(verifyData({ signature, key, address, payload }), true)
      same(verifyData({ signature, key, address, payload: `${payload}!` }), false)
      same(verifyData({ signature, key, address: RECEIVER, payload }), false)
      signed[name] = [signature, key]
    }
    return signed
  })
  await report.check('build and sign payments', async () => {
    const address = wallet.getPaymentAddress()
    const token = `${POLICY}${sdk.utils.stringToHex('LayerToken')}`
    const utxos = [
      {
        input: { txHash: '11'.repeat(32), index: 1 },
        output: {
          address,
          amount: [
            { unit: 'lovelace', quantity: '7000000' },
            { unit: token, quantity: '18446744073709551615' }
          ]
        }
      },
      {
        input: { txHash: '22'.repeat(32), index: 0 },
        output: { address, amount: [{ unit: 'lovelace', quantity: '9007199254740993' }] }
      }
    ]
    const base = { minFeeA: 44, minFeeB: 155381, coinsPerUtxoByte: 4310n }
    const metadata = { 674: sdk.utils.metadataObjToMetadatum({ msg: ['hello', 'Grüße'] }) }
    const drafts = {
      head: new sdk.tx.TxBuilder().addInputs(utxos).pay(RECEIVER, 2_500_000n).changeTo(address).build(),
      ledger: new sdk.tx.TxBuilder(base)
        .addInputs(utxos)
        .pay(RECEIVER, [{ unit: token, quantity: '9223372036854775807' }])
        .changeTo(address)
        .validUntil(123_456_789)
        .onNetwork(0)
        .metadata(metadata)
        .build()
    }
    const made = {}
    for (const [name, { cborHex, txId, fee }] of Object.entries(drafts)) {
      const signed = await wallet.signTx(cborHex)
      same(sdk.wallet.txIdOf(signed), txId)
      same(await wallet.signTx(signed), signed)
      made[name] = [cborHex, signed, txId, String(fee)]
    }
    return made
  })
  await report.check('sign with the key files of cardano-cli', async () => {
    const cli = new ChainCliWallet({
      networkId: 0,
      skey: { type: 'PaymentSigningKeyShelley_ed25519', description: '', cborHex: `5820${'5a'.repeat(32)}` }
    })
    const { signature, key } = await cli.signData(cli.getAddressBech32(), '00ff')
    return [cli.getAddressBech32(), signature, key]
  })
  await report.check('verify a snapshot and proofs of its outputs', async () => {
    const { verify } = sdk
    const outputs = [2_000_000, 3_000_000, 4_000_000].map((lovelace) => ({ address: RECEIVER, value: { lovelace } }))
    const utxo = Object.fromEntries(outputs.map((output, i) => [`${'ab'.repeat(32)}#${i}`, output]))
    const { commitment, hash } = await verify.snapshotAccumulator({ utxo })
    const proof = await verify.proveMembership({ utxo, refs: [`${'ab'.repeat(32)}#1`] })
    same(proof.accumulatorHash, hash)
    same((await verify.verifyMembership({ ...proof, outputs: [outputs[1]] })).ok, true)
    same((await verify.verifyMembership({ ...proof, outputs: [outputs[0]] })).reason, 'proof')
    const two = await verify.proveMembership({ utxo, refs: [`${'ab'.repeat(32)}#1`, `${'ab'.repeat(32)}#2`] })
    same((await verify.verifyMembership({ ...two, outputs: outputs.slice(1) })).ok, true)
    const snapshot = { headId: '11'.repeat(28), version: 0, number: 7, utxo, accumulator: hash }
    const signed = await verify.signedBytes({ snapshot, rule: '2.3' })
    same((await verify.verifySnapshot({ snapshot, parties: [VERIFY_PARTY], signatures: [VERIFY_SIGNATURE] })).ok, true)
    same(
      (
        await verify.verifySnapshot({
          snapshot: { ...snapshot, number: 8 },
          parties: [VERIFY_PARTY],
          signatures: [VERIFY_SIGNATURE]
        })
      ).reason,
      'signature'
    )
    return { commitment, hash, proof: proof.proof, two: two.proof, signed }
  })
  await report.check('encode ledger data', () => {
    const { utils } = sdk
    const data = utils.mkConstr(1, [
      utils.mkInt(2n ** 80n),
      utils.mkBytes('ab'.repeat(70)),
      utils.mkMap([[utils.mkInt(-1), utils.mkList([])]])
    ])
    const script = utils.buildPolicyScriptFromPubkey('ab'.repeat(32))
    const json = '{"big":18446744073709551615,"small":1}'
    same(sdk.bridge.stringifyJson(sdk.bridge.parseJson(json)), json)
    same(utils.hexToString(utils.stringToHex('Grüße 🚀')), 'Grüße 🚀')
    return {
      data: data.toCbor(),
      hash: data.hash(),
      script,
      policyId: utils.policyIdFromNativeScript(script),
      slot: utils.resolveSlotNo(1_700_000_000_000, 'preprod'),
      epoch: utils.resolveEpochNo(1_700_000_000_000, 'mainnet'),
      metadatum: utils.metadataObjToMetadatum({ a: [1, 'x', new Uint8Array([1, 2])] }).toCbor()
    }
  })
  await report.check('refuse bad input with typed errors', async () => {
    const error = await errorOf(() => sdk.utils.hexToBytes('0g'))
    same(
      [
        sdk.root.isLayerError(error),
        sdk.root.isLayerError(error, 'INPUT_HEX'),
        sdk.root.isLayerError(new Error('other'))
      ],
      [true, true, false]
    )
    const wrongWord = WORDS.map((word, i) => (i === 3 ? 'zebra' : word))
    return {
      mnemonic: await codeOf(() =>
        new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: wrongWord } }).getAccount()
      ),
      network: await codeOf(() => new AppWallet({ networkId: 7, key: { type: 'mnemonic', words: WORDS } })),
      index: await codeOf(() => wallet.getAccount(-1)),
      transaction: await codeOf(() => wallet.signTx('84a0')),
      hex: await codeOf(() => sdk.utils.hexToBytes('0g')),
      funds: await codeOf(() => new sdk.tx.TxBuilder().pay(RECEIVER, 1n).changeTo(RECEIVER).build())
    }
  })
  return report.end('offline')
}

/**
 * Runs the steps against a head node of its own, which `env` describes: `nodeUrl`, `rpcUrl` (its simulated base ledger,
 * where the wallet owns two outputs), `closedUrl` (a port that hangs up) and `control(action)`, which asks the parent
 * process to do something to the node. `bridgeOptions` are what the runtime has to pass: nothing, everywhere but in a
 * bare realm.
 */
export async function online(sdk, { nodeUrl, rpcUrl, closedUrl, control, bridgeOptions = {} }) {
  const report = createReport()
  const wallet = new sdk.wallet.AppWallet({ networkId: 0, key: { type: 'mnemonic', words: WORDS } })
  const address = wallet.getPaymentAddress()
  const bridge = new sdk.bridge.LayerBridge({
    url: nodeUrl,
    autoReconnect: true,
    reconnectInterval: 100,
    ...bridgeOptions
  })
  const seen = []
  bridge.events.on('onMessage', ({ tag }) => seen.push(tag))

  let owned = []
  await report.check('read the base ledger with RpcProvider', async () => {
    const { fetcher } = new sdk.providers.RpcProvider({
      apiEndpoint: rpcUrl,
      network: 'preprod',
      ...(bridgeOptions.fetch && { fetch: bridgeOptions.fetch })
    })
    owned = await fetcher.fetchAddressUTxOs(address)
    same(owned.length, 2)
    return owned
  })
  await report.check('a node that is not there is a typed error', async () => {
    const absent = new sdk.bridge.LayerBridge({ url: closedUrl, ...bridgeOptions })
    const code = await codeOf(() => absent.connect())
    await absent.disconnect()
    return code
  })
  await report.check('connect over WebSocket', async () => {
    same(await bridge.connect(), true)
    same(bridge.connected(), true)
    same(seen[0], 'Greetings')
    return bridge.headStatus
  })
  await report.check('read over HTTP', async () => {
    const [{ headStatus, parties }, protocol] = [await bridge.headInfo(), await bridge.getProtocolParameters()]
    return { headStatus, parties, protocol: sdk.bridge.stringifyJson(protocol) }
  })
  await report.check('open the head', async () => {
    const { tag } = await bridge.commands.initSync(3, 2000)
    same(tag, 'HeadIsOpen')
    return bridge.headStatus
  })
  await report.check('commit', async () => {
    const finalized = bridge.waitFor('CommitFinalized', { timeout: STEP_LIMIT_MS })
    const draft = await bridge.commit(sdk.bridge.utxoToJson([owned[0]]))
    const cborHex = await wallet.signTx(draft.cborHex, true)
    const { txId } = await bridge.submitCardanoTransaction({ ...draft, cborHex })
    same((await finalized).depositTxId, txId)
  })
  await report.check('read the balance from the cache', async () => {
    await until(() => bridge.getAddressBalance(address)?.size > 0)
    same(await bridge.addressesInHead(), [address])
    return balanceOf(bridge, address)
  })
  await report.check('pay and see it confirmed', async () => {
    const payment = await pay(sdk, bridge, wallet, 3_000_000n)
    const { txId } = await bridge.submitTxSync(payment.transaction)
    same(txId, payment.txId)
    return [payment.txId, payment.transaction.cborHex, balanceOf(bridge, address), balanceOf(bridge, RECEIVER)]
  })
  await report.check('submitL2Tx', async () => {
    const confirmed = bridge.waitFor('SnapshotConfirmed', { timeout: STEP_LIMIT_MS })
    const payment = await pay(sdk, bridge, wallet, 1_234_567n)
    const verdict = await bridge.submitL2Tx(payment.transaction)
    same(['SubmitTxConfirmed', 'SubmitTxValid', 'SubmitTxSubmitted'].includes(verdict.tag), true)
    same(
      (await confirmed).snapshot.confirmed.map(({ txId }) => txId),
      [payment.txId]
    )
    // Another payment from the same output, which is spent.
    const late = await pay(sdk, bridge, wallet, 2_000_000n, payment.utxos)
    const { tag, validationError } = await bridge.submitL2Tx(late.transaction)
    same(tag, 'SubmitTxInvalid')
    return [payment.txId, verdict.tag, validationError, balanceOf(bridge, address), balanceOf(bridge, RECEIVER)]
  })
  await report.check('verify the head as it goes on, with and without its outputs', async () => {
    const { parties } = await bridge.headInfo()
    for (const noSnapshotUtxo of [false, true]) {
      const verify = { parties: parties.map((party) => party.vkey ?? party), checkInterval: 0 }
      const verifying = new sdk.bridge.LayerBridge({ url: nodeUrl, noSnapshotUtxo, verify, ...bridgeOptions })
      const refused = []
      verifying.events.on('onUnverified', (facts) => refused.push(facts))
      await verifying.connect()
      await until(() => verifying.lastSnapshotNumber === bridge.lastSnapshotNumber)
      await bridge.submitTxSync((await pay(sdk, bridge, wallet, 1_100_000n)).transaction)
      await until(() => verifying.getSnapshot().verified === bridge.lastSnapshotNumber)
      same(await verifying.verifyNow(), verifying.lastSnapshotNumber)
      same([refused, balanceOf(verifying, RECEIVER)], [[], balanceOf(bridge, RECEIVER)])
      await verifying.disconnect()
    }
    const [{ input }] = await bridge.queryAddressUTxO(RECEIVER)
    const text = JSON.stringify(await sdk.verify.getProof(bridge, `${input.txHash}#${input.index}`))
    const { headId } = await bridge.headInfo()
    const keys = parties.map((party) => party.vkey ?? party)
    const { ok } = await sdk.verify.verifyOutputProof({ proof: JSON.parse(text), headId, parties: keys })
    const forged = { ...JSON.parse(text), number: 1_000 }
    same(
      [ok, (await sdk.verify.verifyOutputProof({ proof: forged, headId, parties: keys })).reason],
      [true, 'signature']
    )
    return [balanceOf(bridge, RECEIVER), text.length <= 1024]
  })
  await report.check('reconnect after a drop', async () => {
    const lost = once(bridge, 'onDisconnected')
    const back = once(bridge, 'onConnected')
    await control('drop')
    await lost
    await back
    await until(() => bridge.getAddressBalance(address)?.size > 0)
    const payment = await pay(sdk, bridge, wallet, 1_765_433n)
    await bridge.submitTxSync(payment.transaction)
    return [payment.txId, balanceOf(bridge, address), balanceOf(bridge, RECEIVER)]
  })
  await report.check('a head client of a CIP-30 wallet', async () => {
    // As a page has it: the wallet behind its CIP-30 interface.
    const head = sdk.client.createHeadClient({
      url: nodeUrl,
      wallet: sdk.wallet.walletFromCip30(wallet.toCip30()),
      ...bridgeOptions
    })
    await head.connect()
    await head.open()
    const before = head.getBalance().confirmed.lovelace
    const paid = await Promise.all(
      [1, 2, 3].map((ada) => head.pay({ to: RECEIVER, amount: sdk.utils.ada(String(ada)) }))
    )
    same(new Set(paid.map(({ txId }) => txId)).size, 3)
    const many = await head.payMany({ payments: [4n, 5n].map((ada) => ({ to: RECEIVER, amount: ada * 1_000_000n })) })
    same(many[0].txId, many[1].txId)
    const { utxo } = await head.withdraw({ amount: 6_000_000n })
    same(
      utxo.map(({ amount }) => amount),
      [[{ unit: 'lovelace', quantity: '6000000' }]]
    )
    const code = await codeOf(() => head.pay({ to: RECEIVER, amount: 1n }))
    const { confirmed, pending } = head.getBalance()
    same(String(pending.lovelace), String(confirmed.lovelace))
    const spent = String(before - confirmed.lovelace)
    for (const create of [sdk.mesh.createMeshProvider, sdk.lucid.createLucidProvider])
      same(typeof create(head), 'object')
    same(typeof sdk.blaze.createBlazeProvider, 'function')
    await head.disconnect()
    return { code, spent }
  })
  await report.check('recoverDeposit', async () => {
    await control('hold')
    const recorded = bridge.waitFor('CommitRecorded', { timeout: STEP_LIMIT_MS })
    const draft = await bridge.commit(sdk.bridge.utxoToJson([owned[1]]))
    const { txId } = await bridge.submitCardanoTransaction({
      ...draft,
      cborHex: await wallet.signTx(draft.cborHex, true)
    })
    await recorded
    same(await bridge.pendingDeposits(), [txId])
    await control('expire')
    await bridge.recoverDeposit(txId, { timeout: STEP_LIMIT_MS })
    same(await bridge.pendingDeposits(), [])
  })
  await report.check('a head node without sockets', async () => {
    const node = new sdk.devnode.DevNode({ seed: 'test-env' })
    const inside = new sdk.bridge.LayerBridge({ connector: node.connector() })
    await inside.connect()
    await inside.commands.initSync()
    const { headId } = await inside.headInfo()
    await inside.disconnect()
    await node.stop()
    return headId
  })
  await report.check('disconnect', async () => {
    same(await bridge.disconnect(), true)
    same(bridge.connected(), false)
  })
  await bridge.disconnect()
  return report.end('online')
}

/** Both halves; what `env.nodeUrl` does not name is left out. */
export async function run(sdk, env) {
  const first = await offline(sdk)
  if (env?.nodeUrl === undefined) return first
  const second = await online(sdk, env)
  return { checks: [...first.checks, ...second.checks], values: { ...first.values, ...second.values } }
}

async function pay(sdk, bridge, wallet, lovelace, outputs) {
  const changeAddress = wallet.getPaymentAddress()
  const utxos = outputs ?? (await bridge.queryAddressUTxO(changeAddress))
  const parameters = sdk.tx.txParametersFromProtocol(await bridge.getProtocolParameters())
  const { cborHex, txId } = sdk.tx.buildPayment({ utxos, to: RECEIVER, amount: lovelace, changeAddress, parameters })
  return {
    txId,
    utxos,
    transaction: { type: 'Witnessed Tx ConwayEra', description: '', cborHex: await wallet.signTx(cborHex), txId }
  }
}

const balanceOf = (bridge, address) =>
  Object.fromEntries([...bridge.getAddressBalance(address)].map(([unit, quantity]) => [unit, String(quantity)]))

function createReport() {
  const result = { checks: [], values: {} }
  return {
    /** The result, with the names of the steps as a value: no runtime may leave one out. */
    end: (half) => ({
      ...result,
      values: { ...result.values, [`steps ${half}`]: result.checks.map(({ name }) => name) }
    }),
    async check(name, step) {
      const started = Date.now()
      try {
        const value = await within(STEP_LIMIT_MS, name, Promise.resolve().then(step))
        if (value !== undefined) result.values[name] = value
        result.checks.push({ name, ok: true, ms: Date.now() - started })
      } catch (error) {
        result.checks.push({ name, ok: false, ms: Date.now() - started, error: `${error?.stack ?? error}` })
      }
    }
  }
}

function same(got, expected) {
  const [left, right] = [JSON.stringify(got), JSON.stringify(expected)]
  if (left !== right) throw new Error(`expected ${right}, got ${left}`)
}

async function errorOf(action) {
  try {
    await action()
  } catch (error) {
    return error
  }
  throw new Error('expected an error, got none')
}

/** The code of the error that an action must end with. */
async function codeOf(action) {
  const error = await errorOf(action)
  if (typeof error?.code === 'string') return error.code
  throw error
}

function within(ms, name, promise) {
  // A bare realm has no timers: there the runner's own limit holds.
  if (typeof setTimeout !== 'function') return promise
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`'${name}' took more than ${ms} ms`)), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

const once = (bridge, event) =>
  new Promise((resolve) => {
    const off = bridge.events.on(event, (value) => {
      off()
      resolve(value)
    })
  })
