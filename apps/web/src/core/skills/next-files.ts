/**
 * The texts of the next version of a skill: those of `files`, fetched unless changed, and the changed ones, including files that no
 * longer exist.
 */
export async function nextFiles(
  files: readonly { path: string }[],
  changed: Readonly<Record<string, string>>,
  read: (path: string) => Promise<string>,
): Promise<Record<string, string>> {
  const kept = files
    .filter(({ path }) => !Object.hasOwn(changed, path))
    .map(async ({ path }): Promise<[string, string]> => [path, await read(path)])
  return Object.fromEntries([...(await Promise.all(kept)), ...Object.entries(changed)])
}
