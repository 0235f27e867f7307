export async function examples() { return [] }
