/**
 * The texts of the next version of a skill: those of `files`, read where they are not changed, and what was changed, also of
 * files that are not there any more.
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
