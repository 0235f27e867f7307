import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as jsxRuntime from 'react/jsx-runtime'
import ts from 'typescript'
import * as client from 'layer-sdk/client'
import * as react from 'layer-sdk/react'
import * as utils from 'layer-sdk/utils'
import { ROOT } from '../support/markdown'

const MODULES: Readonly<Record<string, unknown>> = {
  'layer-sdk/client': client,
  'layer-sdk/react': react,
  'layer-sdk/utils': utils,
  'react/jsx-runtime': jsxRuntime
}

/** The exports of the first block of code below a heading of docs/guides/react.md. */
export function pageModule(heading: string): Record<string, unknown> {
  const section = readFileSync(join(ROOT, 'docs', 'guides', 'react.md'), 'utf8').split(`## ${heading}\n`)[1]
  const code = /```[jt]sx no-run\n([\s\S]*?)```/.exec(section ?? '')?.[1]
  if (code === undefined) throw new Error(`The guide has no code below ${heading}`)
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { jsx: ts.JsxEmit.ReactJSX, module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    fileName: 'page.tsx'
  })
  const exported: Record<string, unknown> = {}
  new Function('require', 'exports', outputText)((name: string) => MODULES[name], exported)
  return exported
}
