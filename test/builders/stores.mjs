// The stores of a head client in Vue and Svelte, as docs/guides/ui.md shows them.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'

const HERE = dirname(fileURLToPath(import.meta.url))

const guide = readFileSync(new URL('../../docs/guides/ui.md', import.meta.url), 'utf8')

/** The first block of code below a heading. */
function codeBelow(heading) {
  const code = /```\w+ no-run\n([\s\S]*?)```/.exec(guide.split(`## ${heading}\n`)[1] ?? '')?.[1]
  assert.ok(code, `docs/guides/ui.md has code below ${heading}`)
  return code
}

/** Imports code that finds the packages of this folder. */
function load(name, code) {
  const folder = join(HERE, 'node_modules', '.guides')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), code)
  return import(pathToFileURL(join(folder, name)).href)
}

export async function vueFollows({ funder, bob }, ADA) {
  const { effectScope, watch } = await import('vue')
  const { useHeadStore } = await load('vue.mjs', transformSync(codeBelow('Vue'), { loader: 'ts' }).code)
  const scope = effectScope()
  const seen = []
  const balance = scope.run(() => {
    const ref = useHeadStore(funder, (client) => client.getBalance({ address: bob }))
    watch(ref, ({ confirmed }) => seen.push(confirmed.lovelace), { flush: 'sync' })
    return ref
  })
  const before = balance.value.confirmed.lovelace
  await funder.pay({ to: bob, amount: 2n * ADA })
  assert.equal(balance.value.confirmed.lovelace, before + 2n * ADA)
  assert.equal(seen.at(-1), before + 2n * ADA)
  scope.stop()
  await funder.pay({ to: bob, amount: 2n * ADA })
  assert.equal(balance.value.confirmed.lovelace, before + 2n * ADA, 'a stopped scope follows no more')
}

export async function svelteFollows({ funder, bob }, ADA) {
  const { compile } = await import('svelte/compiler')
  const { render } = await import('svelte/server')
  const { derived } = await import('svelte/store')
  const { default: Balance } = await load(
    'svelte.mjs',
    compile(codeBelow('Svelte'), { generate: 'server', filename: 'Balance.svelte' }).js.code
  )
  assert.match(
    render(Balance, { props: { head: funder } }).body,
    new RegExp(`<p>${funder.getBalance().confirmed.lovelace}</p>`)
  )
  const seen = []
  const stop = derived(
    funder.store((client) => client.getBalance({ address: bob })),
    ({ confirmed }) => confirmed.lovelace
  ).subscribe((lovelace) => seen.push(lovelace))
  assert.equal(seen.length, 1)
  await funder.pay({ to: bob, amount: 2n * ADA })
  stop()
  assert.deepEqual(new Set(seen), new Set([seen[0], seen[0] + 2n * ADA]))
  const calls = seen.length
  await funder.pay({ to: bob, amount: 2n * ADA })
  assert.equal(seen.length, calls)
}
