// What a person does on the page, in the words that stand on it.

export const goTo = (page, name) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click()

export async function unlock(page) {
  await page.getByRole('button', { name: 'Read-only' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unlock commands' }).click()
  await page.getByRole('button', { name: 'Lock commands' }).waitFor()
}

export async function openAccount(page, index = 0) {
  await goTo(page, 'Commands')
  await page.getByLabel('Development account').selectOption(String(index))
  await page.getByRole('button', { name: 'Use this account' }).click()
  await page.getByRole('button', { name: 'Close wallet' }).waitFor()
}

/** Fills in a command's dialog, confirms it, and waits for what came of it. @returns what the page says of it */
export async function command(page, name, fields = {}, outcome = 'Done') {
  const before = await page.locator('.run').count()
  await page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value)
  await dialog.getByRole('button', { name, exact: true }).click()
  const run = page.locator('.run').first()
  await page.waitForFunction((count) => document.querySelectorAll('.run').length > count, before)
  await run.getByText(outcome, { exact: true }).waitFor()
  return run.innerText()
}
