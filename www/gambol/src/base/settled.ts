/** Resolves when all have resolved. Rejects with the first failure, but after all have settled: what has loaded can be used. */
export async function allSettled(all: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(all)).find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
