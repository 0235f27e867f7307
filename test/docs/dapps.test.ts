import { codeBlocks } from '../support/markdown'
import { compiledCode, equals, field, lam, validate } from '../support/uplc'

const blocks = codeBlocks('docs/guides/dapps.md')

it("the escrow of the guide compares who signs with its datum: its code is this term's", () => {
  const signatories = lam((context) =>
    validate(equals(field(field(context, 0), 8), field(field(field(context, 2), 1), 0)))
  )
  const codes = blocks.flatMap(({ code }) => /title: 'escrow.spend'[^]*?compiledCode:\s+'(\w+)'/.exec(code)?.[1] ?? [])
  expect(codes).toEqual([compiledCode(signatories)])
})

it('every block of the guide is run: here, or with its builder by test/builders/escrow.mjs', () => {
  const elsewhere = blocks.filter(({ flags }) => flags.includes('no-run'))
  const packages = elsewhere.map(({ code }) => /\('(@[\w-]+\/\w+)'\)/.exec(code)?.[1])
  expect(packages).toEqual(['@meshsdk/core', '@lucid-evolution/lucid', '@blaze-cardano/sdk'])
})
